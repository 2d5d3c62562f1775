import { formatReais } from "#format/money-text.ts"
import { Amount } from "./amount.tsx"
import { FactList } from "./fact-list.tsx"

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
