import { ChargeSummary } from "./charge-summary.tsx"
import type { CheckoutHandlers } from "./checkout-loop.ts"
import type { CheckoutState } from "./checkout-state.ts"
import type { PayablePage } from "./payable-page.ts"
import { PaymentForm } from "./payment-form.tsx"
import { HowToPay, PixPanel } from "./pix-panel.tsx"

interface ViewProps {
  page: PayablePage
  state: CheckoutState
  on: CheckoutHandlers
}

/** Renders one of the two screens on which a payer acts, and nothing else. */
export function CheckoutView({ page, state, on }: ViewProps) {
  const { screen, pix, spoken } = state
  return (
    <main className={`two ${screen}`}>
      <ChargeSummary page={page} state={state} />
      {screen === "start" && <PaymentForm page={page} state={state} on={on} />}
      {screen === "awaiting" && pix && (
        <>
          <PixPanel pix={pix} state={state} on={on} />
          <HowToPay pix={pix} />
        </>
      )}
      <p className="sr" role="status">
        {spoken}
      </p>
    </main>
  )
}
