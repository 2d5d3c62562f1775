import { createHash } from "node:crypto"
import { tmpdir } from "node:os"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { centsFromReais } from "@tilinta/contract/vocabulary/money"
import Fastify from "fastify"
import { afterAll, describe, expect, test } from "vitest"
import { StartError } from "#kit/errors"
import { createChargePage } from "#selling/charge-pages/create"
import { openTestApp } from "../../../test-support/test-app.ts"
import { serveApp } from "./routes.ts"

const site = await openTestApp()

afterAll(() => site.close())

describe("the app", () => {
  test.each(["/", "/login", "/dashboard", "/checkouts/create", "/reset-password/abc", "/admin/settings"])(
    "%s is a screen",
    async (url) => {
      const reply = await site.call("GET", url)
      expect(reply.status).toBe(200)
      expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8")
      expect(reply.headers["cache-control"]).toBe("no-cache")
      expect(reply.text).toContain("app")
    },
  )

  test.each(["/nada", "/admin/nada", "/checkouts/a/b", "/checkout", "/index.php", "/assets/velho-123.js"])(
    "%s is no screen: the app says so, with 404",
    async (url) => {
      const reply = await site.call("GET", url)
      expect(reply.status).toBe(404)
      expect(reply.text).toContain("app")
    },
  )

  test.each([
    ["/admin/", "/admin"],
    ["/admin/settings/?a=1&b=/", "/admin/settings?a=1&b=/"],
    ["/reset-password/abc//", "/reset-password/abc"],
    ["/checkout/curso/?name=Ana", "/checkout/curso?name=Ana"],
  ])("%s leads to %s", async (url, meant) => {
    for (const method of ["GET", "HEAD"] as const) {
      const reply = await site.app.inject({ method, url })
      expect([reply.statusCode, reply.headers.location]).toEqual([308, meant])
    }
  })

  test.each(["/nada/", "//exemplo.com/", "//exemplo.com/admin/", "/checkout/", "/checkout//", "/%2Fexemplo.com/"])(
    "%s leads nowhere else",
    async (url) => {
      const reply = await site.app.inject({ url })
      expect([reply.statusCode, reply.headers.location]).toEqual([404, undefined])
    },
  )

  test("the policy allows its own files, and of what stands in the page exactly that", async () => {
    const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
    const policy = String((await site.call("GET", "/login")).headers["content-security-policy"])
    expect(policy).toContain(`script-src 'self' ${hash("let a")};`)
    expect(policy).toContain(`style-src 'self' ${hash("a{}")};`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain("unsafe")
    expect(policy).not.toContain("upgrade-insecure-requests")
  })

  test.each([
    ["br", "gzip, br", brotliDecompressSync],
    ["gzip", "gzip;q=0.5, br;q=0", gunzipSync],
    [undefined, "identity", (body: Buffer) => body],
  ])("is sent as %s to who accepts %s", async (encoding, accepted, unpacked) => {
    const reply = await site.app.inject({ url: "/login", headers: { "accept-encoding": accepted } })
    expect(reply.headers["content-encoding"]).toBe(encoding)
    expect(reply.headers["vary"]).toBe("accept-encoding")
    expect(unpacked(reply.rawPayload).toString()).toContain("<body>app</body>")
  })

  test("carries the platform's name, from the next request on, as text", async () => {
    const own = await openTestApp()
    const name = `Loja "$&" <b>`
    try {
      expect((await own.call("GET", "/login")).text).toContain('<html data-platform="Tilinta" data-payers="">')
      await own.db
        .insertInto("settings")
        .values({
          key: "PLATFORM_NAME",
          value: JSON.stringify(name),
          type: "string",
          category: "general",
          description: "",
          is_public: true,
          updated_at: own.clock.now(),
          updated_by: null,
        })
        .execute()
      const text = (await own.call("GET", "/login")).text
      expect(text).toContain('<html data-platform="Loja &quot;$&amp;&quot; &lt;b&gt;" data-payers="">')
      expect(text).toContain("<title>Loja &quot;$&amp;&quot; &lt;b&gt;</title>")
    } finally {
      await own.close()
    }
  })

  test("files whose name holds a hash are kept for a year, others are asked for again", async () => {
    const hashed = await site.call("GET", "/assets/main-abc123.js")
    expect(hashed.text).toBe("let b")
    expect(hashed.headers["cache-control"]).toBe("public, max-age=31536000, immutable")
    expect((await site.call("GET", "/robots.txt")).headers["cache-control"]).toBe("no-cache")
  })

  test.each(["/../package.json", "/assets/..%2f..%2fcheckout/render.js", "/%2e%2e/checkout/render.js"])(
    "%s leads nowhere",
    async (url) => {
      const reply = await site.call("GET", url)
      expect(reply.status).toBe(404)
      expect(reply.text).not.toContain("renderCheckout")
    },
  )

  test("pages that were never built end the start with one line", async () => {
    const address = "http://localhost:3000"
    const siteFolder = `${tmpdir()}/tilinta-nothing-here`
    const missing = serveApp(Fastify(), { db: site.db, siteFolder, publicUrl: address, payersUrl: address })
    await expect(missing).rejects.toThrow(StartError)
    await expect(missing).rejects.toThrow("rode npm run build")
  })
})

describe("the checkout's first HTML", () => {
  async function newPage(email: string) {
    await site.signUp(email)
    const { id } = await site.db
      .selectFrom("users")
      .select("id")
      .where("email_key", "=", email)
      .executeTakeFirstOrThrow()
    return createChargePage(site, {
      sellerId: id,
      title: "Curso <b>de</b> Pix",
      slug: "curso-de-pix",
      description: "",
      amountCents: centsFromReais(49.9),
      payerData: { allowAnonymous: true },
      expiresInHours: 24,
      maxPayments: 1,
      idempotencyKey: null,
    })
  }

  test("holds what anybody may see of the page, by its link and by its slug", async () => {
    const page = await newPage("checkout@loja.example")
    for (const link of [page.uniqueLink, page.slug]) {
      const reply = await site.call("GET", `/checkout/${link}`)
      expect(reply.status).toBe(200)
      expect(reply.headers["cache-control"]).toBe("no-store")
      const props = JSON.parse(reply.text.replace(/^<script[^>]*>|<\/script>$/g, ""))
      expect(props).toMatchObject({
        platformName: "Tilinta",
        origin: "http://localhost:3000",
        page: { uniqueLink: page.uniqueLink, amount: 49.9, seller: { name: "Ana Souza" } },
      })
      expect(Object.keys(props.page)).not.toContain("paymentsCount")
    }
  })

  test("its script runs by a nonce that no other reply has", async () => {
    const replies = await Promise.all([site.call("GET", "/checkout/nada"), site.call("GET", "/checkout/nada")])
    const nonces = replies.map((reply) => {
      const nonce = /nonce="([^"]+)"/.exec(reply.text)?.[1]
      const policy = String(reply.headers["content-security-policy"])
      expect(policy).toContain(`script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`)
      expect(policy).not.toContain("unsafe")
      return nonce
    })
    expect(nonces[0]).not.toBe(nonces[1])
  })

  test.each(["nada", "a%00b", "x".repeat(300), "x".repeat(10_000)])("the unknown link %s is 404", async (link) => {
    const reply = await site.call("GET", `/checkout/${link}`)
    expect(reply.status).toBe(404)
    expect(reply.text).toContain('"page":null')
  })

  test("the page of an inactive seller is 404", async () => {
    const page = await newPage("parou@loja.example")
    await site.db.updateTable("users").set({ active: false }).where("email_key", "=", "parou@loja.example").execute()
    expect((await site.call("GET", `/checkout/${page.uniqueLink}`)).status).toBe(404)
  })

  test("without a database the payer reads a page, which tries again by itself", async () => {
    const down = await openTestApp()
    try {
      await down.database.drop()
      const reply = await down.call("GET", "/checkout/nada")
      expect(reply.status).toBe(503)
      expect(reply.headers).toMatchObject({
        "retry-after": "2",
        "cache-control": "no-store",
        "content-type": "text/html; charset=utf-8",
      })
      expect(reply.headers["content-security-policy"]).toMatch(/style-src 'self' 'sha256-/)
      expect(reply.text).toContain("Serviço indisponível no momento. Tente novamente em instantes.")
    } finally {
      await down.close()
    }
  })

  test.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const)("is compressed with %s", async (encoding, decompress) => {
    const { rawPayload, headers } = await site.app.inject({
      url: "/checkout/nada",
      headers: { "accept-encoding": encoding },
    })
    expect(headers["content-encoding"]).toBe(encoding)
    expect(decompress(rawPayload).toString()).toContain('"page":null')
  })
})
