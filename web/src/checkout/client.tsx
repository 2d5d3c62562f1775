import { flushSync } from "react-dom"
import { createRoot, hydrateRoot, type Root } from "react-dom/client"
import { type CheckoutHandlers, runCheckout } from "./checkout-loop.ts"
import { type CheckoutState, type PayerValues, type ShownPix, shown } from "./checkout-state.ts"
import { CheckoutView } from "./checkout-view.tsx"
import type { CheckoutData } from "./payable-page.ts"
import { oncePainted } from "./payment-watch.ts"

/** Every page that carries this script has both elements. */
const elementOf = (id: string) => document.getElementById(id) as HTMLElement

const page: CheckoutData = JSON.parse(elementOf("dados").textContent)
let container = elementOf("root")

/** Reads the fields before hydration writes empty values into them, so that early typing and autofill survive. */
function typedSoFar(): PayerValues {
  const inputs = document.querySelectorAll<HTMLInputElement>("main input")
  return Object.fromEntries(Array.from(inputs, ({ id, value }) => [id, value]))
}

/** Draws the code's screen off the document while the bank is asked, so that its code is compiled when the answer comes. */
function rehearse(state: CheckoutState, on: CheckoutHandlers): void {
  const pix = { ...page, pixQrCodeBase64: "" } as unknown as ShownPix
  createRoot(document.createElement("div")).render(<CheckoutView page={page} state={shown(pix)(state)} on={on} />)
}

let root: Root | undefined
runCheckout(page, typedSoFar, (state, on) => {
  const view = <CheckoutView page={page} state={state} on={on} />
  flushSync(() => {
    if (root && container.isConnected) root.render(view)
    else if (root || page.pix || !container.isConnected) {
      // The server drew something else here.
      container = elementOf("root")
      container.textContent = ""
      root = createRoot(container)
      root.render(view)
    } else root = hydrateRoot(container, view)
  })
  if (state.isBusy) oncePainted(() => rehearse(state, on))
})
