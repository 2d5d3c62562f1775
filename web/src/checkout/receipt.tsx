import type { PixPaymentView } from "@tilinta/contract/api/payments-endpoints"
import { formatReais } from "#format/money-text.ts"
import { Amount } from "./amount.tsx"

interface Props {
  title: string
  seller: string
  pix: PixPaymentView
  /** Date and time in words. */
  confirmed: string
  returned: number | undefined
}

export function Receipt({ title, seller, pix, confirmed, returned }: Props) {
  const rows = {
    Descrição: title,
    Para: seller,
    "Recebedor no banco": pix.receiverName,
    "Confirmado em": confirmed,
    Método: "PIX",
    "ID da transação": pix.transactionId,
    ...(returned && { Devolvido: formatReais(returned) }),
  }
  return (
    <section className="rc">
      <h2>Comprovante</h2>
      <Amount reais={pix.amount} />
      <dl>
        {Object.entries(rows).map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
