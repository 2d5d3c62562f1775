import { type ComponentChild, hydrate, render } from "preact"

interface Root {
  render: (view: ComponentChild) => void
}

/** The part of `react-dom` that the checkout asks for, answered by Preact, which draws at once. */
export function flushSync(work: () => void): void {
  work()
}

export function createRoot(container: Element): Root {
  return { render: (view) => render(view, container) }
}

export function hydrateRoot(container: Element, view: ComponentChild): Root {
  hydrate(view, container)
  return createRoot(container)
}
