/** @jsxImportSource preact */
import "./checkout.css"
import { hydrate, render } from "preact"
import { runCheckout } from "./checkout-loop.ts"
import type { CheckoutProps } from "./checkout-props.ts"
import { noValues, payerFields } from "./checkout-state.ts"
import { CheckoutView } from "./checkout-view.tsx"

const { page } = JSON.parse(document.getElementById("dados")?.textContent ?? "{}") as Pick<CheckoutProps, "page">
const root = document.getElementById("root")

/** Hydration writes empty values into the fields: what was typed or filled in before it would be lost. */
const typedBefore = { ...noValues }
for (const field of payerFields) {
  typedBefore[field] = (document.getElementById(field) as HTMLInputElement | null)?.value ?? ""
}

if (root !== null && page !== null) {
  let draw: typeof render = hydrate
  runCheckout(page, typedBefore, (state, on) => {
    draw(<CheckoutView page={page} state={state} on={on} />, root)
    draw = render
  })
}
