import { request } from "node:http"
import { brotliDecompressSync } from "node:zlib"
import { drawLogo } from "../../server/src/demo/draw-logo.ts"
import { openWorkshop } from "../crash-tests/server-process.ts"
import { createPix, expectStatus, openShop, send, sendJson } from "../crash-tests/shop.ts"
import { numberOf } from "../kit/arguments.ts"
import { atMost, atMostTimes, type Job, type Row, shownOnly } from "../kit/job.ts"
import { openSlowPhone, roundTripMs, type View } from "../kit/slow-phone.ts"
import { openStaticSite } from "../kit/static-site.ts"
import { timed, timingsOf } from "../timings.ts"

interface Found {
  ours: View[]
  still: View[]
  ourQr: number[]
  stillQr: number[]
  tillQr: number[]
}

export const job: Job = {
  title: "The checkout on slow 4G and a slow phone",
  async run(args) {
    const workshop = await openWorkshop()
    try {
      const { url } = await workshop.startServer({ dataDir: await workshop.newFolder() })
      const shop = await openShop(url)
      const page = `${url}/checkout/${shop.uniqueLink}`
      const bareBytes = await sizeOf(page)
      await nameShop(url, shop.token)
      const pageMs = await medianOf(10, () => fetch(page).then((reply) => reply.text()))
      const pixMs = await medianOf(10, () => createPix(url, shop))
      const pix = JSON.stringify({ data: await createPix(url, shop) })
      const site = await openStaticSite({ pageMs, pixMs, pix, logo: drawLogo() })
      const seen = { page, site: site.url, till: `${url}/counter`, token: shop.token }
      const found = await viewBoth(seen, numberOf(args, "rounds", 5))
      await site.close()
      return { rows: rowsOf(found, bareBytes, pageMs + pixMs), notes: [note] }
    } finally {
      await workshop.close()
    }
  },
}

async function viewBoth(
  { page, site, till, token }: Record<"page" | "site" | "till" | "token", string>,
  rounds: number,
): Promise<Found> {
  const phone = await openSlowPhone([page, site])
  const found: Found = { ours: [], still: [], ourQr: [], stillQr: [], tillQr: [] }
  try {
    for (let round = 0; round < rounds; round += 1) {
      found.still.push(await phone.view(site))
      found.ours.push(await phone.view(page))
      found.stillQr.push(await phone.timeToQr(`${site}/qr`))
      found.ourQr.push(await phone.timeToQr(page))
      found.tillQr.push(await phone.tapsToQr(till, token))
    }
    return found
  } finally {
    await phone.close()
  }
}

/** Gives the shop a name, a logo and a favourite at the counter, as a seller would. */
async function nameShop(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const path = `${url}/api/v1/users/me/shop`
  expectStatus(await sendJson(path, "PATCH", { name: "Doces da Ana" }, headers), 200)
  const logo = { method: "PUT", headers: { ...headers, "content-type": "image/png" }, body: new Uint8Array(drawLogo()) }
  expectStatus(await send(`${path}/logo`, logo), 200)
  const favourites = [{ name: "Bolo", amount: 12.5 }]
  expectStatus(await sendJson(`${url}/api/v1/counter/favourites`, "PUT", { favourites }, headers), 200)
}

const note =
  "The QR of an anonymous page: its button is pressed by script as soon as the page's own script has run. " +
  "Both pages show a shop with its logo; the bytes are those of the page without it. " +
  "The limit is a page written by hand that does no more: one request for the page, one for the code, each answered after " +
  "the time that the product's server takes on this machine, the same JSON, the image set. The plain sum leaves out " +
  "transfer, the browser's own work and the slow processor."

function rowsOf({ ours, still, ourQr, stillQr, tillQr }: Found, pageBytes: number, serverMs: number): Row[] {
  const paints = (views: View[]): number => median(views.map(({ largestPaintMs }) => largestPaintMs))
  const blocked = (views: View[]): number => median(views.map(({ blockedMs }) => blockedMs))
  const qr = { what: "navigation to painted QR", figure: median(ourQr), unit: "ms" }
  return [
    atMostTimes(1.1, {
      what: "largest contentful paint",
      figure: paints(ours),
      unit: "ms",
      limit: { name: "static page", figure: paints(still) },
    }),
    atMostTimes(1.25, { ...qr, limit: { name: "two requests by hand", figure: median(stillQr) } }),
    shownOnly({ ...qr, limit: { name: "two round trips and the server", figure: 2 * roundTripMs + serverMs } }),
    atMost(1_500, { what: "two taps at the counter to painted QR", figure: median(tillQr), unit: "ms" }),
    atMost(0.02, { what: "layout shift", figure: Math.max(...ours.map(({ layoutShift }) => layoutShift)), unit: "" }),
    atMost(0, { what: "blocking time", figure: blocked(ours), unit: "ms" }),
    shownOnly({ what: "blocking time of the static page", figure: blocked(still), unit: "ms" }),
    atMost(14, { what: "the whole page, brotli", figure: pageBytes / 1000, unit: "kB" }),
  ]
}

const median = (figures: readonly number[]): number => timingsOf(figures).p50

async function medianOf(times: number, work: () => Promise<unknown>): Promise<number> {
  const durations: number[] = []
  for (let index = 0; index < times; index += 1) durations.push(await timed(work))
  return median(durations)
}

/** The compressed size that a browser with TLS downloads. */
function sizeOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { "accept-encoding": "br" } }, async (response) => {
      const parts = await response.toArray()
      const body = Buffer.concat(parts)
      resolve(brotliDecompressSync(body).includes("</html>") ? body.length : Number.NaN)
    })
      .once("error", reject)
      .end()
  })
}
