import { setTimeout as sleep } from "node:timers/promises"
import { askForPix, type Market, payCode } from "../crash-tests/exchanges/market.ts"
import type { Pix } from "../crash-tests/shop.ts"
import { askOverTls, openOverTls } from "./ask-over-tls.ts"
import type { Cluster } from "./cluster.ts"
import type { Scene } from "./faults.ts"

/** Payers whose page stayed open while something broke, as they saw it afterwards. */
export interface PagesSeen {
  /** The longest time from a payment to the page that says so. */
  pageMs: number
  /** Pages that never said so. */
  silentPages: number
  /** Pages that a stream told, not the question of every three seconds. */
  toldByStream: number
  pages: number
}

type Site = Cluster["site"]

const pageCount = 5
/** Those of the page: web/src/checkout/payment-watch.ts, and a browser's pause before it opens a stream again. */
const [askEveryMs, reopenAfterMs] = [3_000, 3_000]
const giveUpAfterMs = 20_000

interface Page {
  pix: Pix
  /** Resolves with the moment when it turned to paid, and by which way. */
  paid: Promise<{ at: number; byStream: boolean }>
  close(): void
}

/** Opens them at HAProxy; `payAll` pays each of them and waits for its page. */
export async function openPages({ market, pageId, cluster: { site } }: Scene) {
  const pages: Page[] = []
  while (pages.length < pageCount) {
    const pix = await askForPix(market, pageId)
    if (pix !== null) pages.push(openPage(site, pix))
  }
  return {
    async payAll(): Promise<PagesSeen> {
      const waits = await Promise.all(pages.map((page) => untilTold(market, page)))
      for (const page of pages) page.close()
      const told = waits.filter((wait) => wait !== null)
      return {
        pageMs: Math.round(Math.max(0, ...told.map(({ ms }) => ms))),
        silentPages: waits.length - told.length,
        toldByStream: told.filter(({ byStream }) => byStream).length,
        pages: pages.length,
      }
    },
  }
}

async function untilTold(market: Market, { pix, paid }: Page): Promise<{ ms: number; byStream: boolean } | null> {
  const begin = performance.now()
  if (!(await payCode(market, pix))) throw new Error("the bank did not take a payer's money")
  const told = await Promise.race([paid, sleep(giveUpAfterMs, null)])
  return told === null ? null : { ms: told.at - begin, byStream: told.byStream }
}

function openPage(site: Site, pix: Pix): Page {
  const closing = new AbortController()
  const { signal } = closing
  const { promise, resolve } = Promise.withResolvers<{ at: number; byStream: boolean }>()
  const url = `${site.origin}/api/v1/checkout/payment-status/${pix.transactionId}`
  const found = (byStream: boolean) => resolve({ at: performance.now(), byStream })
  void keepStreamOpen(`${url}/stream`, site, signal, () => found(true))
  const tick = setInterval(() => {
    const asking = askOverTls(url, { ...site.credentials, signal })
    asking.then(({ text }) => text.includes('"pago"') && found(false)).catch(() => undefined)
  }, askEveryMs)
  return {
    pix,
    paid: promise,
    close() {
      clearInterval(tick)
      closing.abort()
    },
  }
}

/** A browser opens a stream that broke again, and never one that was refused. */
async function keepStreamOpen(url: string, { credentials }: Site, signal: AbortSignal, found: () => void) {
  const headers = { accept: "text/event-stream" }
  while (!signal.aborted) {
    try {
      const answer = await openOverTls(url, { ...credentials, headers, signal })
      if (answer.statusCode !== 200) return void answer.resume()
      for await (const chunk of answer.setEncoding("utf8")) if (String(chunk).includes('"pago"')) found()
    } catch {
      // The connection broke, or nobody listened.
    }
    await sleep(reopenAfterMs, null, { signal }).catch(() => undefined)
  }
}
