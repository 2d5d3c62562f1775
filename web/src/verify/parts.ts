import type { Verdict } from "./verify-texts.ts"

/** The markup is the server's, so a missing part is a bug. */
export function part<E extends HTMLElement>(id: string, kind: abstract new () => E): E {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`#${id} is missing`)
  return found
}

/** Drawn, because not every font has them. */
const marks = { good: "M7 12.5l3.5 3.5L17 9", warn: "M12 7v6M12 16.5v.1", bad: "M8 8l8 8M16 8l-8 8" } as const

function heading({ tone, title }: Verdict): HTMLElement {
  const line = element("h2", "")
  line.append(markOf(tone), ` ${title}`)
  return line
}

function markOf(tone: Verdict["tone"]): SVGElement {
  const namespace = "http://www.w3.org/2000/svg"
  const mark = document.createElementNS(namespace, "svg")
  const line = document.createElementNS(namespace, "path")
  mark.setAttribute("viewBox", "0 0 24 24")
  mark.setAttribute("class", "mark")
  mark.ariaHidden = "true"
  line.setAttribute("d", marks[tone])
  mark.append(line)
  return mark
}

export function element(name: string, text: string, className = ""): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  made.className = className
  return made
}

export function cardOf(told: Verdict, ...more: HTMLElement[]): HTMLElement {
  const card = element("div", "", `outcome ${told.tone}`)
  card.append(heading(told), element("p", told.text), ...more)
  return card
}

/** Read out by screen readers, and seen. */
export function showResult(result: HTMLElement, card: HTMLElement): void {
  result.replaceChildren(card)
  result.focus({ preventScroll: true })
  result.scrollIntoView({ block: "nearest" })
}
