import { Amount } from "./amount.tsx"
import { type CheckoutState, remainingMs, type ShownPix } from "./checkout-state.ts"
import { formatRemaining } from "./countdown.ts"
import { Icon } from "./icons.tsx"
import type { PayablePage } from "./payable-page.ts"

const CLOSING_MS = 300_000

/** Purpose and amount: the same place on every screen before the payment. */
export function ChargeSummary({ page, state }: { page: PayablePage; state: CheckoutState }) {
  const { pix, screen, nowMs } = state
  return (
    <section className="sum">
      <h1>{page.title}</h1>
      {page.description && <p className="ds">{page.description}</p>}
      <Amount reais={pix?.amount ?? page.amount} />
      {screen === "awaiting" && pix && (
        <>
          <p className="ds">
            No app do banco aparece <b>{pix.receiverName}</b>
          </p>
          <Countdown pix={pix} nowMs={nowMs} />
        </>
      )}
      {screen === "start" && page.until && (
        <p className="exp">
          <Icon name="clock" />
          <span>
            Disponível até <b>{page.until}</b>
          </span>
        </p>
      )}
    </section>
  )
}

function Countdown({ pix, nowMs }: { pix: ShownPix; nowMs: number }) {
  const leftMs = remainingMs(pix, nowMs)
  const share = Math.min(1, Math.max(0, leftMs / remainingMs(pix, pix.shownAtMs)))
  return (
    <p className={leftMs < CLOSING_MS ? "exp closing" : "exp"} role="timer">
      <Icon name="clock" />
      {leftMs > 0 ? (
        <span>
          Pague em até <b>{formatRemaining(leftMs)}</b>
        </span>
      ) : (
        "Prazo encerrado. Conferindo o pagamento…"
      )}
      <span className="bar">
        <i style={{ width: `${share * 100}%` }} />
      </span>
    </p>
  )
}
