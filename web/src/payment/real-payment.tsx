import { useQuery } from "@tanstack/react-query"
import type { ReceiptView } from "@tilinta/contract/api/payments-endpoints"
import { hasStatus } from "#api/api-error.ts"
import { formatDateTime } from "#format/date.ts"
import { LoadFailure } from "#ui/load-failure.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { Skeleton } from "#ui/skeleton.tsx"
import { FailureView } from "./failure-view.tsx"
import { HomeLink } from "./home-link.tsx"
import { OutcomeHead } from "./outcome-head.tsx"
import { receiptQuery } from "./payment-data.ts"
import { ReceiptCard } from "./receipt-card.tsx"
import { SuccessView } from "./success-view.tsx"

/** Which of the two addresses was opened says nothing: the payment itself tells how it ended. */
export function RealPayment({ id }: { id: string }) {
  const receipt = useQuery(receiptQuery(id))
  if (receipt.data !== undefined) return <Outcome receipt={receipt.data} />
  if (receipt.isPending) return <Waiting />
  if (hasStatus(receipt.error, 404) || hasStatus(receipt.error, 400)) return <Unknown />
  return (
    <div className="grid gap-5 pt-6">
      <PageTitle title="Pagamento" />
      <LoadFailure
        message="Não foi possível consultar este pagamento"
        detail={receipt.error.message || undefined}
        onRetry={() => void receipt.refetch()}
        busy={receipt.isFetching}
      />
    </div>
  )
}

function Outcome({ receipt }: { receipt: ReceiptView }) {
  const facts = factsOf(receipt)
  switch (receipt.status) {
    case "pago":
      return <SuccessView amount={receipt.amount} facts={facts} />
    case "pendente":
      return (
        <>
          <OutcomeHead
            tone="waiting"
            title="Aguardando pagamento"
            text="Assim que o banco confirmar, esta página mostra o comprovante."
          />
          <ReceiptCard title="Valor a pagar" amount={receipt.amount} facts={facts} />
          <div className="mt-4 grid">
            <HomeLink />
          </div>
        </>
      )
    case "expirado":
      return <FailureView text="O tempo para pagamento expirou." amount={receipt.amount} facts={facts} />
    case "cancelado":
      return <FailureView text="Este pagamento foi cancelado." amount={receipt.amount} facts={facts} />
  }
}

function factsOf({ title, receiver, status, date, transactionId, endToEndId }: ReceiptView) {
  return [
    { term: "Descrição", value: title },
    { term: "Para", value: receiver },
    { term: status === "pago" ? "Pago em" : "Gerado em", value: formatDateTime(date) },
    { term: "Método", value: "PIX" },
    { term: "ID da transação", value: transactionId },
    ...(endToEndId === null ? [] : [{ term: "ID do PIX", value: endToEndId }]),
  ]
}

function Waiting() {
  return (
    <div role="status" className="after-a-moment grid justify-items-center gap-6 pt-4">
      <span className="sr-only">Carregando...</span>
      <Skeleton className="size-20 rounded-[28px]" />
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-72 w-full rounded-xl" />
    </div>
  )
}

function Unknown() {
  return (
    <div role="alert" className="grid justify-items-center">
      <OutcomeHead
        tone="bad"
        title="Pagamento não encontrado"
        text="Confira se o endereço está completo ou peça o link a quem recebeu."
      />
      <HomeLink look="primary" />
    </div>
  )
}
