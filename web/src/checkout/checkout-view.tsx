/** @jsxImportSource preact */
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

/** What one state looks like, and nothing else. */
export function CheckoutView({ page, state, on }: ViewProps) {
  const { screen, spoken } = state
  const isPaying = screen === "start" || screen === "awaiting" || screen === "cancelled"
  const Content = isPaying ? PayingScreen : EndingScreen
  return (
    <main class={isPaying ? `two ${screen}` : screen}>
      <Content page={page} state={state} on={on} />
      <p class="sr" role="status">
        {spoken}
      </p>
    </main>
  )
}

function PayingScreen({ page, state, on }: ViewProps) {
  const { pix, screen, pageNow } = state
  return (
    <>
      <ChargeSummary page={page} state={state} />
      {screen === "start" && (
        <PaymentForm
          state={state}
          isAnonymous={page.isAnonymous}
          isRevealed={state.displayed.length > page.required.length}
          on={on}
        />
      )}
      {screen === "awaiting" && pix && (
        <>
          <PixPanel pix={pix} state={state} on={on} />
          <HowToPay pix={pix} />
        </>
      )}
      {screen === "cancelled" && <CancelledPanel pageNow={pageNow} onRenew={on.renew} />}
    </>
  )
}

function EndingScreen({ page, state, on }: ViewProps) {
  const { screen, pix, pageNow, isRestored } = state
  if (pix && screen === "approved") {
    return <ApprovedScreen page={page} pix={pix} onPayAgain={isRestored && !page.isPaid && on.startOver} />
  }
  if (pix && screen === "expired") {
    return <ExpiredScreen page={page} pix={pix} pageNow={pageNow} onRenew={on.renew} />
  }
  return <PaidBeforeScreen page={page} />
}
