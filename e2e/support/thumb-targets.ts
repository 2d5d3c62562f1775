import type { JSHandle, Page } from "@playwright/test"
import { expect } from "./journey.ts"

/** Checks that a thumb can hit every control that is shown: 44 × 44 CSS pixels, measured where they react to a touch. */
export async function expectThumbTargets(page: Page, state: string): Promise<void> {
  const doubtful = await page.evaluateHandle(findSmallBoxes)
  expect.soft(await measureTouched(doubtful), `targets smaller than 44 × 44: ${state}`).toEqual([])
  await doubtful.dispose()
}

/** Runs in the page. Exempt are links inside a sentence, as in WCAG 2.5.8, and what only the keyboard reaches. */
function findSmallBoxes(): HTMLElement[] {
  const controls =
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=option], [role=slider]"
  const front = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document
  return [...front.querySelectorAll<HTMLElement>(controls)].filter(
    (control) => isReached(control) && isSmall(control.closest("label") ?? control) && !isInSentence(control),
  )

  function isSmall(box: HTMLElement): boolean {
    const { width, height } = box.getBoundingClientRect()
    return width < 43.5 || height < 43.5
  }

  function isReached(control: HTMLElement): boolean {
    const { width, height, bottom, right } = control.getBoundingClientRect()
    const isDrawn = control.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1
    const isOnPage = bottom + scrollY > 0 && right + scrollX > 0
    const isSkipLink = bottom <= 0 && getComputedStyle(control).position === "fixed"
    return isDrawn && isOnPage && !isSkipLink && control.closest("[inert]") === null
  }

  function isInSentence(control: HTMLElement): boolean {
    const block = control.closest("p, li, dd")
    if (block === null || !/^inline(-block)?$/.test(getComputedStyle(control).display)) return false
    const wordsOf = (text: string | null) => text?.match(/\p{L}+/gu)?.length ?? 0
    const linked = [...block.querySelectorAll("a, button")].reduce((sum, link) => sum + wordsOf(link.textContent), 0)
    return wordsOf(block.textContent) - linked >= 5
  }
}

/** A label reacts for its field and a pseudo-element for its link, so this asks what a touch beside the middle reaches. */
async function measureTouched(doubtful: JSHandle<HTMLElement[]>): Promise<string[]> {
  return doubtful.evaluate((controls) => {
    const boxes = [...document.querySelectorAll("*")].map((box) => ({ box, top: box.scrollTop, left: box.scrollLeft }))
    const scrolled = boxes.filter(({ top, left }) => top > 0 || left > 0)
    const small = controls.flatMap((control) => {
      control.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" })
      const { left, top, width, height } = control.getBoundingClientRect()
      const reach = (byX: number, byY: number): number => {
        const reacts = (steps: number): boolean => {
          const touched = document.elementFromPoint(left + width / 2 + byX * steps, top + height / 2 + byY * steps)
          return touched !== null && (control.contains(touched) || touched.closest("label")?.control === control)
        }
        let steps = 0
        while (steps < 44 && reacts(steps + 1)) steps += 1
        return steps
      }
      const size = [reach(-1, 0) + reach(1, 0) + 1, reach(0, -1) + reach(0, 1) + 1]
      if (size.every((pixels) => pixels >= 43)) return []
      const name = control.getAttribute("aria-label") ?? (control.textContent.trim() || control.id)
      return [`${control.tagName.toLowerCase()} "${name.slice(0, 40)}" ${size.join(" × ")}`]
    })
    for (const { box } of boxes)
      if (box.scrollTop > 0 || box.scrollLeft > 0) box.scrollTo({ top: 0, left: 0, behavior: "instant" })
    for (const { box, top, left } of scrolled) box.scrollTo({ top, left, behavior: "instant" })
    return small
  })
}
