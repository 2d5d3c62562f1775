import { formatReais } from "#format/money-text.ts"
import { type CheckoutState, remainingMs, type ShownPix } from "./checkout-state.ts"
import { formatRemaining } from "./countdown.ts"
import { Icon } from "./page-frame.tsx"
import { isFixed, type PayablePage } from "./payable-page.ts"

/** Amounts longer than "R$ 999.999" are set smaller. */
const LONG_WHOLE = 10

export function Amount({ reais }: { reais: number }) {
  const [whole = "", cents] = formatReais(reais).split(",")
  return (
    <p className={whole.length > LONG_WHOLE ? "amt long" : "amt"}>
      <span>R$</span>
      {whole.slice(2)}
      <small>{`,${cents}`}</small>
    </p>
  )
}

/** Nothing while the payer is still to choose. */
export const ShownAmount = isFixed ? (Amount as typeof AmountIfAny) : AmountIfAny

function AmountIfAny({ reais }: { reais: number | null }) {
  return reais === null ? null : <Amount reais={reais} />
}

function FactList({ facts }: { facts: Readonly<Record<string, string>> }) {
  return (
    <dl>
      {Object.entries(facts).map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const CLOSING_MS = 300_000

/** Purpose and amount: the same place on every screen before the payment. */
export function ChargeSummary({ page, state }: { page: PayablePage; state: CheckoutState }) {
  const { pix, screen, nowMs } = state
  return (
    <section className="sum">
      <h1>{page.title}</h1>
      {page.description && <p className="ds">{page.description}</p>}
      <ShownAmount reais={pix?.amount ?? page.amount} />
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

interface Props {
  title: string
  seller: string
  amount: number
  /** Date and time in words. */
  paid: string
  returned: number | undefined
}

/** The payment in short: the receipt is a page of its own. */
export function PaidSummary({ title, seller, amount, paid, returned }: Props) {
  return (
    <section className="rc">
      <h2>{title}</h2>
      <Amount reais={amount} />
      <FactList facts={{ Para: seller, "Pago em": paid, ...(returned && { Estornado: formatReais(returned) }) }} />
    </section>
  )
}
