import {
  type BrowserContext,
  type BrowserContextOptions,
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
  /** Another browser, closed with the test; its pages count for `complaints` too. */
  openBrowser: OpenBrowser
  /** Another device, without the seller's session. */
  payer: Page
}

/** Without a session, or with that of a token. */
export type OpenBrowser = (options?: BrowserContextOptions & { token?: string }) => Promise<BrowserContext>

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
    async ({ context }, use, testInfo) => {
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
      await tellWhatIsShown([context], testInfo)
      expect(heard.filter((line) => !expected.some((pattern) => pattern.test(line)))).toEqual([])
    },
    { auto: true },
  ],

  seller: async ({ request }, use) => use(await signUp(request)),

  openBrowser: async ({ browser, complaints, baseURL }, use, testInfo) => {
    const opened: BrowserContext[] = []
    await use(async ({ token, ...options } = {}) => {
      const context = await browser.newContext({ storageState: sessionOf(token, baseURL), ...options })
      complaints.watch(context)
      opened.push(context)
      return context
    })
    await tellWhatIsShown(opened, testInfo)
    for (const context of opened) await context.close()
  },

  payer: async ({ openBrowser }, use) => {
    const context = await openBrowser({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true })
    await use(await context.newPage())
  },
})

/** Beside the failure, so that the log alone says what its test saw. */
async function tellWhatIsShown(
  contexts: BrowserContext[],
  { status, expectedStatus, errors }: TestInfo,
): Promise<void> {
  if (status === expectedStatus) return
  for (const page of contexts.flatMap((context) => context.pages())) {
    const text = await page.innerText("body", { timeout: 1_000 }).catch(() => "nothing that could be read")
    errors.push({ message: `${page.url()} showed:\n${text.slice(0, 600)}` })
  }
}

/** The seller's own browser, with an open session. */
export const sellerTest = test.extend({
  storageState: async ({ seller, baseURL }, use) => use(sessionOf(seller.token, baseURL)),
})

function sessionOf(token: string | undefined, origin = "") {
  const localStorage = token === undefined ? [] : [{ name: "token", value: token }]
  return { cookies: [], origins: [{ origin, localStorage }] }
}

export { expect }

export function toast(page: Page, text: string | RegExp): Locator {
  return page.getByRole("region", { name: "Notificações" }).getByText(text)
}

/**
 * Does something again until it shows what a job writes in its own time. The wait doubles: a busy machine may need more
 * than any one to draw a page that each repetition begins anew.
 */
export async function repeatUntil(
  act: () => Promise<unknown>,
  expectShown: (patience: { timeout: number }) => Promise<unknown>,
): Promise<void> {
  for (let timeout = 1_000; timeout < 60_000; timeout *= 2) {
    await act()
    const isShown = await expectShown({ timeout }).then(
      () => true,
      () => false,
    )
    if (isShown) return
  }
  await act()
  await expectShown({ timeout: 60_000 })
}

/** Presses 'Tentar novamente'; a page that also asks by itself may have its answer just before. */
export async function tryAgain(failure: Page | Locator): Promise<void> {
  const button = failure.getByRole("button", { name: "Tentar novamente" })
  await button.click({ timeout: 15_000 }).catch(() => expect(button).toHaveCount(0))
}

export function clipboardOf(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}
