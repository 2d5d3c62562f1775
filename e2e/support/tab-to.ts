import type { Locator, Page } from "@playwright/test"

/** Moves with Tab alone, like a keyboard user. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab")
    if (await wanted.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`no way with Tab to ${String(wanted)}`)
}

export async function pressAt(page: Page, wanted: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press(key)
}

export async function typeAt(page: Page, wanted: Locator, text: string): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.type(text)
}
