import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo, Server } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { noncePolicy, protectionOf } from "../../server/src/http/security-headers.ts"

interface StaticSite {
  url: string
  close(): Promise<void>
}

interface Pace {
  /** The server's own durations for the page and the Pix, which are imitated. */
  pageMs: number
  pixMs: number
  /** The body of the Pix answer. */
  pix: string
  logo: Buffer
}

const nonce = "still"
/** Those that every page of the product must have: one of them has Chromium change processes, which takes it some 40 ms. */
const headers = { ...protectionOf("/"), "content-security-policy": noncePolicy(nonce) }

async function page(name: string): Promise<string> {
  const html = await readFile(new URL(`../pages/${name}`, import.meta.url), "utf8")
  return html.replaceAll(/<(style|script)\b/g, `<$1 nonce="${nonce}"`)
}

/**
 * Hand-written pages as the lower bound, under the product's own security headers: `/` runs no script, `/qr` only fetches
 * and shows the code.
 */
export async function openStaticSite({ pageMs, pixMs, pix, logo }: Pace): Promise<StaticSite> {
  const [still, secondTrip] = await Promise.all([page("checkout.html"), page("second-trip.html")])
  const replies: Record<string, { type: string; body: Buffer; ms: number }> = {
    "/": { type: "text/html; charset=utf-8", body: gzipSync(still), ms: pageMs },
    "/qr": {
      type: "text/html; charset=utf-8",
      body: gzipSync(still.replace("</body>", `${secondTrip}</body>`)),
      ms: pageMs,
    },
    "/logo": { type: "image/png", body: gzipSync(logo), ms: 0 },
    "/pix": { type: "application/json", body: gzipSync(pix), ms: pixMs },
  }
  const server = createServer((request, response) => {
    const { type, body, ms } = replies[request.url ?? ""] ?? { type: "text/plain", body: gzipSync(""), ms: 0 }
    void sleep(ms).then(() =>
      response.writeHead(200, { ...headers, "content-type": type, "content-encoding": "gzip" }).end(body),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
