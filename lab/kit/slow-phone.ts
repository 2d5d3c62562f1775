import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { type Browser, chromium } from "playwright-core"
import { prepareChromium } from "../../tools/find-chromium.ts"
import { openSlowLink } from "./slow-link.ts"

export const roundTripMs = 150

/** Slow 4G, and a processor four times slower than this one. */
const link = { roundTripMs, downBytesPerMs: 1_600 / 8 }
const slowerBy = 4
const watcher = fileURLToPath(new URL("../pages/watch-page.js", import.meta.url))
const seller = new URL("../pages/sell-by-taps.js", import.meta.url)
const settledMs = 1_500
const withinMs = 30_000

export interface View {
  largestPaintMs: number
  layoutShift: number
  blockedMs: number
}

interface SlowPhone {
  /** Loads the page and observes it for a while. */
  view(url: string): Promise<View>
  /** Time from navigation to the painted code; the button is pressed as soon as the page's script has run. */
  timeToQr(url: string): Promise<number>
  /** Time from the first of two taps on the seller's open till, a favourite and 'Gerar QR', to the painted code. */
  tapsToQr(url: string, token: string): Promise<number>
  close(): Promise<void>
}

interface Seen {
  largestPaintMs: number
  firstPaintMs: number
  layoutShift: number
  tasks: { at: number; ms: number }[]
  qrMs: number
}

/** It reaches these sites over a slow network. */
export async function openSlowPhone(sites: readonly string[]): Promise<SlowPhone> {
  const lines = await Promise.all(sites.map((site) => openSlowLink(Number(new URL(site).port), link)))
  const rules = sites.map((site, index) => `MAP ${new URL(site).host} 127.0.0.1:${lines[index]?.port}`)
  const args = ["--no-sandbox", "--disable-gpu", `--host-resolver-rules=${rules.join(",")}`]
  const browser = await chromium.launch({ ...(await prepareChromium()), args })

  async function visit<Found>(url: string, press: boolean, look: (seen: () => Promise<Seen>) => Promise<Found>) {
    const context = await openContext(browser)
    try {
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await session.send("Emulation.setCPUThrottlingRate", { rate: slowerBy })
      await page.addInitScript(`globalThis.pressing = ${press}`)
      await page.addInitScript({ path: watcher })
      await page.goto(url, { waitUntil: "load", timeout: withinMs })
      return await look(() => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen))
    } finally {
      await context.close()
    }
  }

  return {
    view: (url) =>
      visit(url, false, async (seen) => {
        await new Promise((resolve) => setTimeout(resolve, settledMs))
        const { largestPaintMs, firstPaintMs, layoutShift, tasks } = await seen()
        const blocking = tasks.filter((task) => task.at + task.ms > firstPaintMs)
        return { largestPaintMs, layoutShift, blockedMs: blocking.reduce((sum, { ms }) => sum + ms - 50, 0) }
      }),
    timeToQr: (url) =>
      visit(url, true, async (seen) => {
        const until = performance.now() + withinMs
        while (performance.now() < until) {
          const { qrMs } = await seen()
          if (qrMs > 0) return qrMs
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        throw new Error(`no code was painted on ${url}`)
      }),
    async tapsToQr(url, token) {
      const context = await openContext(browser)
      try {
        const page = await context.newPage()
        const session = await context.newCDPSession(page)
        await session.send("Emulation.setCPUThrottlingRate", { rate: slowerBy })
        await page.addInitScript((value) => localStorage.setItem("token", value), token)
        await page.goto(url, { waitUntil: "load", timeout: withinMs })
        await page.locator(".counter-picks button").first().waitFor({ timeout: withinMs })
        // The till stands open all day: what follows its first screen has come.
        await new Promise((resolve) => setTimeout(resolve, settledMs))
        return await page.evaluate<number>(await readFile(seller, "utf8"))
      } finally {
        await context.close()
      }
    },
    async close() {
      await browser.close()
      for (const line of lines) line.close()
    },
  }
}

function openContext(browser: Browser) {
  return browser.newContext({
    viewport: { width: 375, height: 812 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    locale: "pt-BR",
  })
}
