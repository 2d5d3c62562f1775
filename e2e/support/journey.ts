import {
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
  type TestInfo,
} from "@playwright/test"
import { type Seller, signUp } from "./api.ts"
import { sharedServerUrl } from "./server-url.ts"

interface Fixtures {
  /** Any error in a browser's console fails the test; expected ones are declared here. */
  complaints: Complaints
  seller: Seller
  /** Another device, without the seller's session. */
  payer: Page
}

interface Complaints {
  expect(pattern: RegExp): void
  watch(context: BrowserContext): void
}

/** A fresh browser without a session. */
export const test = base.extend<Fixtures>({
  baseURL: async ({}, use) => use(sharedServerUrl()),

  // Playwright's own `request` shares the browser's state, and so could not create the session that goes into it.
  request: async ({ playwright, baseURL }, use) => {
    const request = await playwright.request.newContext(baseURL === undefined ? {} : { baseURL })
    await use(request)
    await request.dispose()
  },

  complaints: [
    async ({ browser, context }, use, testInfo) => {
      const heard: string[] = []
      const expected: RegExp[] = []
      const complaints: Complaints = {
        expect: (pattern) => void expected.push(pattern),
        watch(watched) {
          watched.on("weberror", (error) => heard.push(`uncaught: ${error.error().message}`))
          watched.on("console", (message) => {
            if (message.type() === "error") heard.push(`${message.text()} (${message.location().url})`)
          })
        },
      }
      complaints.watch(context)
      await use(complaints)
      await tellWhatIsShown(browser, testInfo)
      expect(heard.filter((line) => !expected.some((pattern) => pattern.test(line)))).toEqual([])
    },
    { auto: true },
  ],

  seller: async ({ request }, use) => use(await signUp(request)),

  payer: async ({ browser, complaints, baseURL }, use, testInfo) => {
    const context = await browser.newContext({
      viewport: { width: 375, height: 812 },
      hasTouch: true,
      isMobile: true,
      locale: "pt-BR",
      timezoneId: "America/Sao_Paulo",
      permissions: ["clipboard-read", "clipboard-write"],
      reducedMotion: "reduce",
      storageState: { cookies: [], origins: [] },
      ...(baseURL !== undefined && { baseURL }),
    })
    complaints.watch(context)
    await use(await context.newPage())
    await tellWhatIsShown(browser, testInfo)
    await context.close()
  },
})

/** Beside the failure, so that the log alone says what its test saw. */
async function tellWhatIsShown(browser: Browser, { status, expectedStatus, errors }: TestInfo): Promise<void> {
  if (status === expectedStatus) return
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    const text = await page.innerText("body", { timeout: 1_000 }).catch(() => "nothing that could be read")
    errors.push({ message: `${page.url()} showed:\n${text.slice(0, 600)}` })
  }
}

/** The seller's own browser, with an open session. */
export const sellerTest = test.extend({
  storageState: async ({ seller, baseURL }, use) => {
    const localStorage = [{ name: "token", value: seller.token }]
    await use({ cookies: [], origins: [{ origin: baseURL ?? "", localStorage }] })
  },
})

export { expect }

export function toast(page: Page, text: string): Locator {
  return page.getByRole("region", { name: "Notificações" }).getByText(text)
}

/** Presses 'Tentar novamente'; a page that also asks by itself may have its answer just before. */
export async function tryAgain(failure: Page | Locator): Promise<void> {
  const button = failure.getByRole("button", { name: "Tentar novamente" })
  await button.click({ timeout: 5_000 }).catch(() => expect(button).toHaveCount(0))
}

export function clipboardOf(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}
