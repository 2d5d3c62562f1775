/** @jsxImportSource preact */
import { Amount } from "./amount.tsx"
import { endings, type PageNow, type ShownPix } from "./checkout-state.ts"
import { EndingHead } from "./ending-head.tsx"
import type { PayablePage } from "./payable-page.ts"
import { Receipt } from "./receipt.tsx"

interface ApprovedProps {
  page: PayablePage
  pix: ShownPix
  /** Given when the payer came back to a page that takes more payments. */
  onPayAgain: (() => void) | false
}

export function ApprovedScreen({ page, pix, onPayAgain }: ApprovedProps) {
  return (
    <>
      <EndingHead icon="check" words={endings.approved} />
      <Receipt
        title={page.title}
        seller={page.seller}
        pix={pix}
        confirmedAt={pix.confirmedAt}
        returned={pix.returned}
      />
      <button class="btn" type="button" onClick={() => print()}>
        Imprimir comprovante
      </button>
      <a class="btn ghost" href={`/payment/success?transactionId=${pix.transactionId}`}>
        Ver comprovante
      </a>
      {onPayAgain && (
        <button class="btn ghost" type="button" onClick={onPayAgain}>
          Fazer outro pagamento
        </button>
      )}
    </>
  )
}

interface RenewProps {
  pageNow: PageNow
  onRenew: () => void
}

export function ExpiredScreen({ page, pix, pageNow, onRenew }: Omit<ApprovedProps, "onPayAgain"> & RenewProps) {
  return (
    <>
      <EndingHead icon="clock" words={endings.expired} />
      <section class="rc">
        <h2>{page.title}</h2>
        <Amount reais={pix.amount} />
        <p class="ds">Se você já pagou, atualize esta página antes de gerar outro código.</p>
      </section>
      <RenewButton pageNow={pageNow} onRenew={onRenew} />
    </>
  )
}

export function PaidBeforeScreen({ page }: { page: PayablePage }) {
  return (
    <>
      <EndingHead icon="check" words={endings["paid-before"]} />
      <section class="rc">
        <h2>{page.title}</h2>
        <Amount reais={page.amount} />
        <p class="ds">O comprovante aparece no navegador em que o pagamento foi feito.</p>
      </section>
    </>
  )
}

/** Takes the QR code's place, so that nobody pays a code that can't be paid any more. */
export function CancelledPanel({ pageNow, onRenew }: RenewProps) {
  const [heading, text] = endings.cancelled
  return (
    <section class="pay done">
      <h2 tabIndex={-1} data-focus>
        {heading}
      </h2>
      <p>{text}</p>
      <RenewButton pageNow={pageNow} onRenew={onRenew} />
    </section>
  )
}

function RenewButton({ pageNow, onRenew }: RenewProps) {
  if (pageNow === "closed") return <p class="tr">Esta cobrança não está mais disponível.</p>
  return (
    <div class="cta">
      {pageNow && (
        <button class="btn pri" type="button" onClick={onRenew}>
          Gerar novo código
        </button>
      )}
    </div>
  )
}
