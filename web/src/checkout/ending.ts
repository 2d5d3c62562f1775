import type { CheckoutState } from "./checkout-state.ts"
import { enterScreen } from "./page-frame.tsx"

const RETRY_MS = 3000

/**
 * The server draws how a payment ended: its page of this Pix gives main part, style and title to ours. Until it comes, the
 * code stays in sight; after a reload nothing does, as the form would only flash.
 */
export async function showEnding({ pix, isRestored }: CheckoutState): Promise<void> {
  const root = document.getElementById("root") as HTMLElement
  root.style.visibility = isRestored ? "hidden" : ""
  try {
    const response = await fetch(`?pix=${pix?.transactionId}`)
    const style = document.querySelector("style") as HTMLElement
    // The policy is that of our page, and would refuse the style of another one's nonce.
    const html = (await response.text()).replace(/nonce="[^"]+/g, `nonce="${style.nonce}`)
    const drawn = new DOMParser().parseFromString(html, "text/html")
    const elementOf = (selector: string) => drawn.querySelector(selector) as HTMLElement
    // Throws where there is no such heading: on an error page, or where the server hasn't heard of the ending yet.
    const ended = elementOf("[data-focus]").closest("#root") as HTMLElement
    style.textContent = elementOf("style").textContent
    root.replaceWith(ended)
    document.title = drawn.title
    if (!isRestored) enterScreen()
  } catch (error) {
    console.warn(error)
    setTimeout(showEnding, RETRY_MS, { pix, isRestored })
  }
}
