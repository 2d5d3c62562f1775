import type { PublicInvoiceView } from "@tilinta/contract/charge-pages"
import type { PublicShopView } from "@tilinta/contract/fields"
import type { EndedInvoice } from "@tilinta/contract/pages/checkout-props"
import { formatDay } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { ContactLink, EndingHead } from "./ending-screens.tsx"
import { type Contact, contactOf } from "./payable-page.ts"

const weekdays = ["domingo", "segunda", "terça", "quarta", "quinta", "sexta", "sábado"]

const weekdayOf = (day: string) => weekdays[new Date(`${day}T12:00:00Z`).getUTCDay()]
/** The year says nothing of the next weeks. */
const shortDay = (day: string) => formatDay(day).slice(0, 5)
const inWords = (day: string) => `${shortDay(day)} (${weekdayOf(day)})`

/** Above the page: drawn by the server alone, so that it costs the payer's script nothing. */
export function InvoiceDue({ invoice }: { invoice: PublicInvoiceView }) {
  const { daysLate } = invoice
  if (daysLate > 0) {
    return (
      <section className="due late" aria-label="Vencimento">
        {`Venceu em ${shortDay(invoice.dueDate)} · `}
        <b>{daysLate === 1 ? "1 dia de atraso" : `${daysLate} dias de atraso`}</b>
      </section>
    )
  }
  return (
    <section className="due" aria-label="Vencimento">
      <b>
        {invoice.adjustedDueDate === invoice.schedule[0]?.day ? "Vence hoje" : `Vence em ${inWords(invoice.dueDate)}`}
      </b>
      {invoice.adjustedDueDate !== invoice.dueDate && ` · sem acréscimo até ${inWords(invoice.adjustedDueDate)}`}
    </section>
  )
}

interface DetailsProps {
  invoice: PublicInvoiceView
  contact: Contact | undefined
  /** The page's own, below which its PDF is. */
  path: string
}

/** Below the page: the parts of today's amount, and what it will be. */
export function InvoiceDetails({ invoice, contact, path }: DetailsProps) {
  const { original, discount, fine, interest, schedule, discountUntil, lastDay } = invoice
  const today = schedule[0]
  const parts = [
    ["Valor original", original],
    ["Desconto", -discount],
    ["Multa", fine],
    ["Juros", interest],
  ] as const
  const isPlain = original === today?.amount
  return (
    <section className="inv" aria-label="Valores desta cobrança">
      <div>
        {!isPlain && (
          <dl>
            {parts.map(([term, value]) => value !== 0 && <Line key={term} term={term} value={value} />)}
            <Line term="Total de hoje" value={today?.amount ?? original} />
          </dl>
        )}
        {discountUntil !== null && (
          <p>
            {discountUntil === today?.day
              ? "Último dia com desconto"
              : `Pague até ${inWords(discountUntil)} e ganhe ${formatReais(discount)} de desconto`}
          </p>
        )}
      </div>
      <div>
        <h2>Quanto pagar em cada dia</h2>
        <dl>
          {runsOf(schedule).map(({ from, until, amount }) => (
            <Line key={from} term={runText(from, until, today?.day)} value={amount} />
          ))}
        </dl>
        <p>{`Dá para pagar por aqui até ${inWords(lastDay)}.`}</p>
        <a className="ask" href={`${path}/cobranca.pdf`}>
          Baixar PDF
        </a>
      </div>
      <ContactLink contact={contact} className="ask" />
    </section>
  )
}

interface Run {
  from: string
  until: string
  amount: number
}

/** Days of one amount stand in one line. */
function runsOf(schedule: PublicInvoiceView["schedule"]): Run[] {
  const runs: Run[] = []
  for (const { day, amount } of schedule) {
    const last = runs.at(-1)
    if (last?.amount === amount) last.until = day
    else runs.push({ from: day, until: day, amount })
  }
  return runs
}

function runText(from: string, until: string, today: string | undefined): string {
  if (from === until) return from === today ? "Hoje" : inWords(from)
  return from === today ? `De hoje a ${inWords(until)}` : `De ${shortDay(from)} a ${inWords(until)}`
}

function Line({ term, value }: { term: string; value: number }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{value < 0 ? `− ${formatReais(-value)}` : formatReais(value)}</dd>
    </div>
  )
}

/** Why it can't be paid any more, or now. */
export function endedWords({ state, lastDay, debited, seller }: EndedInvoice): { heading: string; text: string } {
  if (state === "cancelled") {
    return { heading: "Cobrança cancelada", text: `Esta cobrança foi cancelada por ${seller}. Não há nada a pagar.` }
  }
  if (state === "debiting") {
    const day = debited === null ? "" : ` ${debited}`
    return {
      heading: "Débito automático agendado",
      text: `Este valor já está agendado para débito automático${day}. Não há nada a pagar agora.`,
    }
  }
  if (state === "settled_outside") {
    return {
      heading: "Cobrança encerrada",
      text: `${seller} já recebeu esta cobrança por outro meio. Não há nada a pagar.`,
    }
  }
  return {
    heading: "Prazo encerrado",
    text: `O prazo para pagar esta cobrança terminou em ${formatDay(lastDay)}. Fale com ${seller}.`,
  }
}

interface EndedProps {
  ended: EndedInvoice
  shop: PublicShopView | null
  dataPath: string | null
}

/** An invoice that can't be paid any more: it says why, and whom to ask. */
export function EndedInvoiceScreen({ ended, shop, dataPath }: EndedProps) {
  const { heading, text } = endedWords(ended)
  return (
    <main>
      <EndingHead
        icon={ended.state === "expired" || ended.state === "debiting" ? "clock" : "alert"}
        words={[heading, text]}
      />
      <ContactLink contact={contactOf(shop, null)} className="btn pri" />
      {dataPath !== null && (
        <a className="btn ghost" href={dataPath}>
          Os seus dados
        </a>
      )}
    </main>
  )
}
