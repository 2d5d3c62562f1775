import { dateTimeText } from "#format/date.ts"
import { Amount } from "./amount.tsx"
import { endings, type PageNow, type ShownPix } from "./checkout-state.ts"
import { EndingHead } from "./ending-head.tsx"
import { PaidSummary } from "./paid-summary.tsx"
import type { PayablePage } from "./payable-page.ts"

interface ApprovedProps {
  page: PayablePage
  pix: ShownPix
  /** Set when the payer returned to a page that takes more payments. */
  onPayAgain: (() => void) | false | undefined
}

export function ApprovedScreen({ page, pix, onPayAgain }: ApprovedProps) {
  return (
    <>
      <EndingHead icon="check" words={endings.approved} />
      <PaidSummary
        {...page}
        amount={pix.amount}
        paid={dateTimeText(new Date(pix.confirmedAt ?? 0))}
        returned={pix.returned}
      />
      <a className="btn pri" href={`/payment/success?transactionId=${pix.transactionId}`}>
        Ver comprovante
      </a>
      {onPayAgain && (
        <button className="btn ghost" type="button" onClick={onPayAgain}>
          Fazer outro pagamento
        </button>
      )}
    </>
  )
}

interface RenewProps {
  pageNow: PageNow | undefined
  onRenew: () => void
}

export function ExpiredScreen({ page, pix, pageNow, onRenew }: Omit<ApprovedProps, "onPayAgain"> & RenewProps) {
  return (
    <>
      <EndingHead icon="clock" words={endings.expired} />
      <section className="rc">
        <h2>{page.title}</h2>
        <Amount reais={pix.amount} />
        <p className="ds">Se você já pagou, atualize esta página antes de gerar outro código.</p>
      </section>
      <RenewButton pageNow={pageNow} onRenew={onRenew} />
    </>
  )
}

export function PaidBeforeScreen({ page }: { page: PayablePage }) {
  return (
    <>
      <EndingHead icon="check" words={endings["paid-before"]} />
      <section className="rc">
        <h2>{page.title}</h2>
        <Amount reais={page.amount} />
        <p className="ds">O comprovante aparece no navegador em que o pagamento foi feito.</p>
      </section>
    </>
  )
}

/** Replaces the QR code, so that nobody pays a cancelled code. */
export function CancelledPanel({ pageNow, onRenew }: RenewProps) {
  const [heading, text] = endings.cancelled
  return (
    <section className="pay done">
      <h2 tabIndex={-1} data-focus>
        {heading}
      </h2>
      <p>{text}</p>
      <RenewButton pageNow={pageNow} onRenew={onRenew} />
    </section>
  )
}

function RenewButton({ pageNow, onRenew }: RenewProps) {
  if (pageNow === "closed") return <p className="tr">Esta cobrança não está mais disponível.</p>
  return (
    <div className="cta">
      {pageNow && (
        <button className="btn pri" type="button" onClick={onRenew}>
          Gerar novo código
        </button>
      )}
    </div>
  )
}
