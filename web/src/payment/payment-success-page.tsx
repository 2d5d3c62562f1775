import { getRouteApi } from "@tanstack/react-router"
import { formatDateTime } from "#format/date.ts"
import { RealPayment } from "./real-payment.tsx"
import { SampleNote } from "./sample-note.tsx"
import { SuccessView } from "./success-view.tsx"

const route = getRouteApi("/payment/payment/success")

export function PaymentSuccessPage() {
  const { transactionId, k } = route.useSearch()
  if (transactionId !== undefined) return <RealPayment id={transactionId} token={k} />
  return (
    <>
      <SampleNote />
      <SuccessView
        amount={150}
        facts={[
          { term: "ID da transação", value: "TXN-123456789" },
          { term: "Método", value: "PIX" },
          { term: "Data", value: formatDateTime(new Date().toISOString()) },
        ]}
      />
    </>
  )
}
