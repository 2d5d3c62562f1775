/** @jsxImportSource preact */
import { hydrate, render } from "preact"
import { runCheckout } from "./checkout-loop.ts"
import { noValues, type PayerValues, payerFields } from "./checkout-state.ts"
import { CheckoutView } from "./checkout-view.tsx"
import type { CheckoutData } from "./payable-page.ts"

const page: CheckoutData = JSON.parse(document.getElementById("dados")?.textContent ?? "")
const root = document.getElementById("root")

/** Hydration writes empty values into the fields: what was typed or filled in before it would be lost. */
function typedSoFar(): PayerValues {
  const values = { ...noValues }
  for (const field of payerFields) {
    values[field] = (document.getElementById(field) as HTMLInputElement | null)?.value ?? ""
  }
  return values
}

if (root !== null) {
  let draw: typeof render = hydrate
  if (page.pix) {
    root.textContent = ""
    draw = render
  }
  runCheckout(page, typedSoFar, (state, on) => {
    draw(<CheckoutView page={page} state={state} on={on} />, root)
    draw = render
  })
}
