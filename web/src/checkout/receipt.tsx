/** @jsxImportSource preact */
import type { PixPaymentView } from "@tilinta/contract/api/payments-endpoints"
import { formatDateTime } from "#format/date.ts"
import { formatReais } from "#format/money-text.ts"
import { Amount } from "./amount.tsx"

interface Props {
  title: string
  seller: string
  pix: PixPaymentView
  confirmedAt: string | null
  returned: number | undefined
}

export function Receipt({ title, seller, pix, confirmedAt, returned }: Props) {
  const rows = {
    Descrição: title,
    Para: seller,
    "Recebedor no banco": pix.receiverName,
    "Confirmado em": formatDateTime(confirmedAt),
    Método: "PIX",
    "ID da transação": pix.transactionId,
    ...(returned && { Devolvido: formatReais(returned) }),
  }
  return (
    <section class="rc">
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
