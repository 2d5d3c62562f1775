import { dateTimeText } from "#format/dates.ts"
import { Amount, PaidSummary } from "./charge-summary.tsx"
import { endings, type PageNow, type ShownPix } from "./checkout-state.ts"
import { Icon, type IconName } from "./page-frame.tsx"
import type { PayablePage } from "./payable-page.ts"

interface HeadProps {
  icon: IconName
  /** Heading and text. */
  words: readonly string[]
}

export function EndingHead({ icon, words: [heading, text] }: HeadProps) {
  return (
    <div className="done">
      <span className={`mark ${icon}`}>
        <Icon name={icon} />
      </span>
      <h1 tabIndex={-1} data-focus>
        {heading}
      </h1>
      <p>{text}</p>
    </div>
  )
}

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
      <a className="btn pri" href={`/payment/success?transactionId=${pix.transactionId.replace("?", "&")}`}>
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

const words = {
  unknown: ["Oops!", "Página de cobrança não encontrada ou expirada"],
  charge_page_not_open: ["Página ainda não aberta", "Esta página de cobrança ainda não está aberta"],
  charge_page_suspended: ["Página suspensa", "Esta página de cobrança não aceita pagamentos"],
}
const advice = {
  unknown: "Confira o endereço ou peça um novo link a quem enviou a cobrança.",
  charge_page_not_open:
    "Quem criou a cobrança precisa confirmar o e-mail da conta. Avise quem enviou o link e tente de novo depois.",
  charge_page_suspended:
    "Ela foi denunciada e está suspensa. Não pague por outro meio. Se você já pagou e desconfia de golpe, fale com o seu banco.",
}

/** Works without script: a reload is the only action. */
export function OopsScreen({ why, supportEmail }: { why: keyof typeof words; supportEmail: string }) {
  return (
    <main>
      <EndingHead icon="alert" words={words[why]} />
      <p className="ds mid">{advice[why]}</p>
      <a className="btn" href="">
        Tentar novamente
      </a>
      {supportEmail && (
        <a className="btn ghost" href={`mailto:${supportEmail}`}>
          Falar com o suporte
        </a>
      )}
    </main>
  )
}
