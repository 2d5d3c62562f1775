import type { PlainPayment } from "@tilinta/contract/pages/checkout-props"
import type { ReactNode } from "react"
import { formatDateTime } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { Amount, PaidSummary, ShownAmount } from "./charge-summary.tsx"
import { ContactLink, EndingHead } from "./ending-screens.tsx"
import { Icon, type IconName } from "./page-frame.tsx"
import type { Contact, PayablePage } from "./payable-page.ts"
import { HowToPay, qrSource } from "./pix-panel.tsx"

/** Heading and text of each ending. */
export const endings = {
  pago: ["Pagamento Aprovado!", "Seu pagamento foi processado com sucesso."],
  expirado: ["Pagamento Expirado", "O tempo para pagamento expirou."],
  cancelado: ["Este código foi cancelado", "Ele não aceita mais pagamentos."],
} as const

/** The script that goes back by itself finds the address here. */
export const returnLinkId = "voltar"

interface Props {
  payment: PlainPayment
  /** Whether the charge page still takes payments. */
  isPayable: boolean
  contact: Contact | undefined
  /** The shop's own words on a page that takes no more payments. */
  closedText?: string | undefined
}

/** One Pix without script: only links can be clicked. */
export function PlainPaymentScreen({ payment, isPayable, contact, closedText }: Props) {
  const { status } = payment.pix
  if (status === "pendente") return <PlainPix payment={payment} />
  if (status === "pago") return <PlainApproved payment={payment} isPayable={isPayable} contact={contact} />
  const [icon, words]: [IconName, readonly string[]] =
    status === "expirado" ? ["clock", endings.expirado] : ["alert", endings.cancelado]
  return (
    <main>
      <EndingHead icon={icon} words={words} />
      <section className="rc">
        <h2>{payment.title}</h2>
        <Amount reais={payment.pix.amount} />
        <p className="ds">{`Se você já pagou, atualize esta página${isPayable ? " antes de gerar outro código" : ""}.`}</p>
      </section>
      <NextStep isPayable={isPayable}>
        <a className="btn pri" href={payment.pagePath} data-again="pix">
          Gerar novo código
        </a>
      </NextStep>
      {closedText && <p className="ds mid">{closedText}</p>}
      <ContactLink contact={contact} className={isPayable ? "btn ghost" : "btn"} />
    </main>
  )
}

function PlainPix({ payment: { pix, title } }: { payment: PlainPayment }) {
  return (
    <main className="two awaiting">
      <section className="sum">
        <h1>{title}</h1>
        <Amount reais={pix.amount} />
        <p className="ds">
          No app do banco aparece <b>{pix.receiverName}</b>
        </p>
        <p className="exp">
          <Icon name="clock" />
          <span>
            Pague até <b>{formatDateTime(pix.expiresAt)}</b>
          </span>
        </p>
      </section>
      <section className="pay" aria-label="Código Pix">
        <div className="q">
          <img src={qrSource(pix.pixQrCodeBase64)} alt={`QR Code Pix de ${formatReais(pix.amount)}`} />
        </div>
        <label htmlFor="codigo">Código Pix: selecione tudo e copie</label>
        <textarea
          id="codigo"
          className="code"
          readOnly
          rows={Math.ceil(pix.pixCode.length / CODE_COLUMNS)}
          defaultValue={pix.pixCode}
        />
        <p className="live">
          <i />
          Aguardando pagamento... Após o pagamento, a confirmação será automática.
        </p>
        <a className="btn" href="">
          Já paguei
        </a>
      </section>
      <HowToPay pix={pix} />
    </main>
  )
}

/** The columns of a narrow phone, so that the whole code is visible. */
const CODE_COLUMNS = 36

function PlainApproved({ payment, isPayable, contact }: Props) {
  return (
    <main>
      <EndingHead icon="check" words={endings.pago} />
      <PaidSummary {...payment} amount={payment.pix.amount} paid={formatDateTime(payment.confirmedAt)} />
      <ReturnPart payment={payment} />
      <a className={payment.returnUrl === null ? "btn pri" : "btn"} href={receiptPathOf(payment.pix)}>
        Ver comprovante
      </a>
      {isPayable && (
        <a className="btn" href={payment.pagePath} data-again="">
          Fazer outro pagamento
        </a>
      )}
      <ContactLink contact={contact} />
    </main>
  )
}

function pathOf({ transactionId, payerToken }: PlainPayment["pix"]): string {
  return `?pix=${transactionId}&k=${payerToken}`
}

function receiptPathOf({ transactionId, payerToken }: PlainPayment["pix"]): string {
  return `/payment/success?transactionId=${transactionId}&k=${payerToken}`
}

/** By itself only right after the payment, and never against the payer's will. */
function ReturnPart({ payment: { returnUrl, isLeaving, pix } }: { payment: PlainPayment }) {
  if (returnUrl === null) return null
  return (
    <>
      <a className="btn pri" id={returnLinkId} href={returnUrl}>
        Voltar à loja
      </a>
      {isLeaving && (
        <>
          <p className="tr">Você volta à loja em alguns segundos.</p>
          <a className="btn ghost" href={pathOf(pix)}>
            Ficar nesta página
          </a>
        </>
      )}
    </>
  )
}

function NextStep({ isPayable, children }: { isPayable: boolean; children: ReactNode }) {
  return isPayable ? (
    <div className="cta">{children}</div>
  ) : (
    <p className="tr">Esta cobrança não está mais disponível.</p>
  )
}

/** A page that is paid: the script only follows the Pix of its own tab there. */
export function PaidBeforeScreen({ page, contact }: { page: PayablePage; contact: Contact | undefined }) {
  return (
    <main>
      <EndingHead
        icon="check"
        words={["Cobrança já paga", "Esta cobrança já foi paga. Não é preciso pagar de novo."]}
      />
      <section className="rc">
        <h2>{page.title}</h2>
        <ShownAmount reais={page.amount} />
        <p className="ds">O comprovante aparece no navegador em que o pagamento foi feito.</p>
      </section>
      <ContactLink contact={contact} className="btn" />
    </main>
  )
}
