/** @jsxImportSource preact */
import { hydrate, render } from "preact"
import { type CheckoutHandlers, runCheckout } from "./checkout-loop.ts"
import { type CheckoutState, noValues, type PayerValues, payerFields, type ShownPix, shown } from "./checkout-state.ts"
import { CheckoutView } from "./checkout-view.tsx"
import type { CheckoutData } from "./payable-page.ts"
import { oncePainted } from "./waking.ts"

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

/** Out of sight while the bank is asked: by the time it answers, the browser has compiled what draws the code. */
function rehearse(state: CheckoutState, on: CheckoutHandlers): void {
  const pix = { ...page, pixCode: "", pixQrCodeBase64: "", receiverName: "", expiresAt: "" } as unknown as ShownPix
  render(<CheckoutView page={page} state={shown(pix)(state)} on={on} />, document.createElement("div"))
}

if (root !== null) {
  let draw: typeof render = hydrate
  let isRehearsed = false
  if (page.pix) {
    root.textContent = ""
    draw = render
  }
  runCheckout(page, typedSoFar, (state, on) => {
    draw(<CheckoutView page={page} state={state} on={on} />, root)
    draw = render
    if (state.isBusy && !isRehearsed) oncePainted(() => rehearse(state, on))
    isRehearsed ||= state.isBusy
  })
}
