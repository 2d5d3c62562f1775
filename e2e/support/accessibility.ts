import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "@playwright/test"
import type { AxeResults, RunOptions } from "axe-core"
import { expect } from "./journey.ts"
import { expectThumbTargets } from "./thumb-targets.ts"

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** Checks the page's present state against every rule that axe can check, and on a phone for a thumb. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  // The rows of a search before are faint on purpose until its own have come.
  await expect(page.locator(".transition-opacity.opacity-60")).toHaveCount(0)
  await page.evaluate(flattenGradients)
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource)
  const violations = await page.evaluate(async (wanted) => {
    const { axe } = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }
    const results = await axe.run({ runOnly: { type: "tag", values: wanted }, resultTypes: ["violations"] })
    return results.violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`),
    )
  }, tags)
  expect.soft(violations, state).toEqual([])
  if ((page.viewportSize()?.width ?? 0) < 400) await expectThumbTargets(page, state)
}

/** Axe skips text on gradients; ours are faint enough that the colour below can be checked instead. */
function flattenGradients(): void {
  for (const element of document.querySelectorAll<HTMLElement>("body, body *")) {
    if (getComputedStyle(element).backgroundImage.includes("gradient")) element.style.backgroundImage = "none"
  }
}
