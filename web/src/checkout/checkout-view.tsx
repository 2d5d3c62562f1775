import { ChargeSummary } from "./charge-summary.tsx"
import type { CheckoutHandlers } from "./checkout-loop.ts"
import type { CheckoutState } from "./checkout-state.ts"
import { ApprovedScreen, CancelledPanel, ExpiredScreen, PaidBeforeScreen } from "./ending-screens.tsx"
import type { PayablePage } from "./payable-page.ts"
import { PaymentForm } from "./payment-form.tsx"
import { HowToPay, PixPanel } from "./pix-panel.tsx"

interface ViewProps {
  page: PayablePage
  state: CheckoutState
  on: CheckoutHandlers
}

/** Renders one state, and nothing else. */
export function CheckoutView({ page, state, on }: ViewProps) {
  const { screen, pix, pageNow, isRestored, spoken } = state
  const isPaying = screen === "start" || screen === "awaiting" || screen === "cancelled"
  return (
    <main className={isPaying ? `two ${screen}` : screen}>
      {isPaying && <ChargeSummary page={page} state={state} />}
      {screen === "start" && <PaymentForm page={page} state={state} on={on} />}
      {screen === "awaiting" && pix && (
        <>
          <PixPanel pix={pix} state={state} on={on} />
          <HowToPay pix={pix} />
        </>
      )}
      {screen === "cancelled" && <CancelledPanel pageNow={pageNow} onRenew={on.renew} />}
      {screen === "approved" && pix && (
        <ApprovedScreen page={page} pix={pix} onPayAgain={isRestored && !page.isPaid && on.startOver} />
      )}
      {screen === "expired" && pix && <ExpiredScreen page={page} pix={pix} pageNow={pageNow} onRenew={on.renew} />}
      {screen === "paid-before" && <PaidBeforeScreen page={page} />}
      <p className="sr" role="status">
        {spoken}
      </p>
    </main>
  )
}
