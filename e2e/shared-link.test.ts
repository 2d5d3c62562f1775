import type { APIRequestContext } from "@playwright/test"
import { cancelChargePage, createChargePage } from "./support/api.ts"
import { expect, test } from "./support/journey.ts"

const crawler = { "User-Agent": "WhatsApp/2.23.20.0", "Accept-Encoding": "identity" }
const title = `Curso "Pães & Bolos" <b>do zero</b> – Turma 🍰 de dezembro, com apostila, vídeos e certificado`

async function readTags(request: APIRequestContext, url: string): Promise<Map<string, string>> {
  const answer = await request.get(url, { headers: crawler })
  expect(answer.headers()["x-robots-tag"]).toBe("noindex")
  const head = (await answer.text()).split("</head>")[0] ?? ""
  expect(head).toContain('<meta name="robots" content="noindex">')
  const tags = [...head.matchAll(/<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">/g)]
  return new Map(tags.map(([, name = "", content = ""]) => [name, unescaped(content)]))
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

/** A PNG's width and height are in its first chunk. */
function sizeOf(png: Buffer): number[] {
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n")
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

test("a messenger reads what a link asks for, and gets a picture of it that it may keep", { tag: "@desktop" }, async ({
  seller,
  request,
  baseURL,
}) => {
  const origin = baseURL ?? ""
  const charge = await createChargePage(request, seller, { title, amount: 1234.5 })
  const tags = await readTags(request, `/checkout/${charge.slug}`)
  const shown = `${title} – R$\u00a01.234,50`
  expect(Object.fromEntries(tags)).toMatchObject({
    "og:title": shown,
    "og:description": expect.stringMatching(/^Cobrança de .*Pague com Pix/),
    "og:type": "website",
    "og:site_name": "Tilinta",
    "og:url": `${origin}/checkout/${charge.uniqueLink}`,
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": shown,
    "twitter:card": "summary_large_image",
  })
  const address = tags.get("og:image") ?? ""
  expect(address).toContain(`${origin}/checkout/${charge.uniqueLink}/preview.png?v=`)
  const picture = await request.get(address, { headers: crawler })
  const png = await picture.body()
  expect(picture.status()).toBe(200)
  expect(picture.headers()).toMatchObject({
    "content-type": "image/png",
    "cache-control": "public, max-age=31536000, immutable",
    "x-robots-tag": "noindex",
  })
  expect(sizeOf(png)).toEqual([1200, 630])
  expect(png.length).toBeGreaterThan(10_000)
  expect(png.length).toBeLessThan(300_000)
  const etag = picture.headers()["etag"] ?? ""
  const again = await request.get(address, { headers: { ...crawler, "If-None-Match": etag } })
  expect([again.status(), (await again.body()).length]).toEqual([304, 0])

  const edit = { headers: { Authorization: `Bearer ${seller.token}` }, data: { amount: 99 } }
  expect((await request.patch(`/api/v1/checkout/pages/${charge._id}`, edit)).ok()).toBe(true)
  const edited = (await readTags(request, `/checkout/${charge.uniqueLink}`)).get("og:image") ?? ""
  expect(edited).not.toBe(address)
  const old = await request.get(address, { headers: { ...crawler, "If-None-Match": etag } })
  expect([old.status(), old.headers()["cache-control"]]).toEqual([200, "public, max-age=300"])
  expect((await old.body()).equals(png)).toBe(false)

  await cancelChargePage(request, seller, charge)
  for (const link of [charge.uniqueLink, charge.slug, "nao-existe"]) {
    expect([...(await readTags(request, `/checkout/${link}`)).keys()].filter((name) => name.startsWith("og:"))).toEqual(
      [],
    )
    const none = await request.get(`/checkout/${link}/preview.png`, { headers: crawler })
    expect([none.status(), none.headers()["content-type"]]).toEqual([404, "application/json; charset=utf-8"])
  }
})
