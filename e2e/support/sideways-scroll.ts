import type { Page } from "@playwright/test"
import { expect } from "./journey.ts"

export const narrow = { viewport: { width: 320, height: 640 } }

export async function expectNoSidewaysScroll(page: Page, state: string): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(width, state).toBeLessThanOrEqual(narrow.viewport.width)
}
