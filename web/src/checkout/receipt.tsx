import type { PlainPayment } from "@tilinta/contract/pages/checkout-props"
import { formatDateTime } from "#format/date.ts"
import { formatReais } from "#format/money-text.ts"
import { Amount } from "./amount.tsx"
import { FactList } from "./fact-list.tsx"

/** The receipt for payers without script, with the facts of /payment/success. */
export function Receipt({
  payment: { pix, title, seller, confirmedAt, endToEndId, returned },
}: {
  payment: PlainPayment
}) {
  return (
    <section className="rc">
      <h2>Comprovante</h2>
      <Amount reais={pix.amount} />
      <FactList
        facts={{
          Descrição: title,
          Para: seller,
          "Pago em": formatDateTime(confirmedAt),
          Método: "PIX",
          "ID da transação": pix.transactionId,
          ...(endToEndId !== null && { "ID do Pix (endToEndId)": endToEndId }),
          ...(returned > 0 && { Estornado: formatReais(returned) }),
        }}
      />
    </section>
  )
}
