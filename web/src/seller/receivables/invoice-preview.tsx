import { type Day, dayAfter, dueAmountOn, lastDayOf } from "@tilinta/contract/vocabulary/due-amount"
import {
  dueTermsOf,
  instalmentsOf,
  MOST_DAYS_AFTER_DUE,
  previewDaysOf,
  type SentTerms,
  warningsOfTerms,
} from "@tilinta/contract/vocabulary/invoices"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { useFormContext } from "react-hook-form"
import { formatDay } from "#format/dates.ts"
import { isDay } from "#format/days.ts"
import { formatReais } from "#format/money-text.ts"
import { breakdownOf, defaultFee, feeText, useFee } from "#seller/fee/fee-card.tsx"
import { Icon } from "#ui/icon.tsx"
import { type InvoiceForm, problemsIn, termsOf } from "./invoice-form.ts"

interface Props {
  /** São Paulo's. */
  today: Day
  days: Parameters<typeof problemsIn>[1]
}

/** Amounts of each day, as terms are typed, by the server's own calculator. */
export function InvoicePreview({ today, days }: Props) {
  const form = useFormContext<InvoiceForm>().watch()
  const whole = termsOf(form)
  const customers = form.customerIds.length
  const count = customers > 1 ? 1 : Number(form.count)
  const parts = count > 1 && isComplete(whole) ? instalmentsOf(whole, count) : []
  const terms = parts[0] ?? whole
  const problem = isComplete(terms) ? problemsIn(terms, days)[0] : undefined
  return (
    <section
      aria-labelledby="preview-title"
      className="rounded-xl border border-mint-line bg-[radial-gradient(130%_150%_at_0%_0%,oklch(0.285_0.048_178)_0%,oklch(0.225_0.026_195)_46%,var(--color-s1)_100%)] p-6 shadow-card"
    >
      <h2 id="preview-title" className="text-label font-semibold text-t2">
        Quanto o cliente paga
      </h2>
      {!isComplete(terms) && (
        <p className="mt-3 text-label text-t3">Preencha o valor e o vencimento para ver quanto é pedido em cada dia.</p>
      )}
      {problem !== undefined && <p className="mt-3 text-label text-amber">{problem.message}</p>}
      {customers > 1 && isComplete(terms) && problem === undefined && (
        <p className="mt-3 text-label">
          {`${formatReais(terms.amount)} de cada um, ${formatReais(terms.amount * customers)} ao todo. Cada um:`}
        </p>
      )}
      {parts.length > 0 && problem === undefined && <p className="mt-3 text-label">{partsText(parts)}</p>}
      {isComplete(terms) && problem === undefined && <Amounts sent={terms} today={today} />}
    </section>
  )
}

function isComplete({ amount, dueDate, daysAfterDue, discounts }: SentTerms): boolean {
  const isWithin = Number.isInteger(daysAfterDue) && daysAfterDue >= 0 && daysAfterDue <= MOST_DAYS_AFTER_DUE
  return amount > 0 && isWithin && [dueDate, ...(discounts ?? []).map(({ until }) => until)].every(isDay)
}

function Amounts({ sent, today }: { sent: SentTerms; today: Day }) {
  const terms = dueTermsOf(sent)
  const rule = useFee() ?? defaultFee
  const onDue = reaisFromCents(dueAmountOn(terms, sent.dueDate).amount)
  return (
    <>
      <dl className="mt-4 grid gap-2 text-label tabular-nums">
        {previewDaysOf(terms, today).map((day) => (
          <div key={day} className="flex justify-between gap-4">
            <dt className="text-t2">{nameOf(day, sent.dueDate, today)}</dt>
            <dd className="font-semibold whitespace-nowrap">
              {formatReais(reaisFromCents(dueAmountOn(terms, day).amount))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 border-t border-mint-line pt-4 text-label text-t2">
        {`Pode ser paga até ${formatDay(lastDayOf(terms))}. Paga no vencimento, você recebe ${formatReais(breakdownOf(onDue, rule).net)} (taxa de ${feeText(rule)}).`}
      </p>
      {warningsOfTerms(sent).map(({ path, message }) => (
        <p key={path} className="mt-3 flex items-start gap-2 text-label text-amber">
          <Icon name="alert" className="mt-px size-[18px]" />
          <span className="min-w-0">{message}</span>
        </p>
      ))}
    </>
  )
}

function partsText(parts: readonly SentTerms[]): string {
  const [first, last] = [parts[0]?.amount ?? 0, parts.at(-1)?.amount ?? 0]
  const rest = first === last ? "" : ` e a última de ${formatReais(last)}`
  const count = first === last ? parts.length : parts.length - 1
  return `${count} × ${formatReais(first)}${rest}, até ${formatDay(parts.at(-1)?.dueDate ?? "")}. A primeira:`
}

function nameOf(day: Day, dueDate: Day, today: Day): string {
  if (day === today) return day === dueDate ? "Hoje, no vencimento" : "Hoje"
  if (day === dueDate) return `No vencimento, ${formatDay(day).slice(0, 5)}`
  const late = [1, 7, 30].find((days) => dayAfter(dueDate, days) === day)
  return late === 1 ? "1 dia depois" : `${late} dias depois`
}
