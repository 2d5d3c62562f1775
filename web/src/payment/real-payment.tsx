import { useQuery } from "@tanstack/react-query"
import type { PaymentProofView } from "@tilinta/contract/payments"
import { logoPath, shopContact } from "@tilinta/contract/vocabulary/shops"
import { namedDocument } from "@tilinta/contract/vocabulary/typed-data"
import { useEffect, useRef } from "react"
import { hasStatus } from "#api/api-error.ts"
import { formatDateTime } from "#format/dates.ts"
import { buttonClass } from "#ui/button.tsx"
import { QueryFailure } from "#ui/card.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import {
  FailureView,
  HomeLink,
  OutcomeHead,
  ProofCard,
  type ProofFact,
  proofQuery,
  SuccessHead,
} from "./payment-outcome.tsx"

/** A payment that isn't paid: the server answers the receipt of one that is. Ignores which of the two addresses was opened. */
export function RealPayment({ id, token }: { id: string; token: string | undefined }) {
  const proof = useQuery(proofQuery(id, token))
  const status = proof.data?.status
  const isAwaited = useRef(false)
  useEffect(() => {
    if (status === "pendente") isAwaited.current = true
    if (status === "pago" && isAwaited.current) window.location.reload()
  }, [status])
  if (proof.data !== undefined) {
    return (
      <>
        {proof.data.shop !== undefined && <ShopLine proof={proof.data} />}
        <Outcome proof={proof.data} />
        <ShopContact proof={proof.data} />
        {token !== undefined && <PayerDataLink id={id} token={token} />}
      </>
    )
  }
  if (proof.isPending) return <Waiting />
  if (hasStatus(proof.error, 404) || hasStatus(proof.error, 400)) return <Unknown />
  return (
    <div className="grid gap-5 pt-6">
      <PageTitle title="Pagamento" />
      <QueryFailure query={proof} failed="Não foi possível consultar este pagamento" detailed />
    </div>
  )
}

/** Names the receiver as the charge page does. */
function ShopLine({ proof: { receiver, receiverDocument, shop } }: { proof: PaymentProofView }) {
  return (
    <p className="flex items-center justify-center gap-3 print:justify-start">
      {shop?.logoUrl !== undefined && (
        <img
          src={logoPath(shop.logoUrl)}
          alt=""
          width={44}
          height={44}
          decoding="async"
          className="size-11 flex-none rounded-m"
        />
      )}
      <span className="min-w-0">
        <b className="block font-[650] wrap-anywhere">{receiver}</b>
        {receiverDocument !== null && (
          <small className="block text-meta text-t3 tabular-nums">{namedDocument(receiverDocument)}</small>
        )}
      </span>
    </p>
  )
}

function ShopContact({ proof: { shop, title } }: { proof: PaymentProofView }) {
  const href = shop === undefined ? null : shopContact(shop, title)
  if (href === null) return null
  return (
    <a href={href} rel="noopener noreferrer" className={`mt-3 print:hidden ${buttonClass("ghost")}`}>
      Falar com {shop?.name}
    </a>
  )
}

function Outcome({ proof }: { proof: PaymentProofView }) {
  const shown = { amount: proof.amount, chargePath: proof.chargePath, facts: factsOf(proof) }
  switch (proof.status) {
    case "pago":
      return (
        <>
          <SuccessHead />
          <a href="" className={buttonClass("primary")}>
            Ver comprovante
          </a>
        </>
      )
    case "pendente":
      return (
        <>
          <OutcomeHead
            tone="waiting"
            title="Aguardando pagamento"
            text="Assim que o banco confirmar, esta página mostra o comprovante."
          />
          <ProofCard title="Valor a pagar" amount={proof.amount} facts={shown.facts} />
          <div className="mt-4 grid">
            <HomeLink chargePath={proof.chargePath} />
          </div>
        </>
      )
    case "expirado":
      return <FailureView text="O tempo para pagamento expirou." {...shown} />
    case "cancelado":
      return <FailureView text="Este pagamento foi cancelado." {...shown} />
  }
}

function factsOf({ title, receiver, date, transactionId }: PaymentProofView): ProofFact[] {
  return [
    { term: "Descrição", value: title },
    { term: "Para", value: receiver },
    { term: "Gerado em", value: formatDateTime(date) },
    { term: "Método", value: "PIX" },
    { term: "ID da transação", value: transactionId, copied: "ID da transação copiado!" },
  ]
}

/** A page of its own, which works without script. */
function PayerDataLink({ id, token }: { id: string; token: string }) {
  return (
    <p className="mt-5 text-center text-meta print:hidden">
      <a
        href={`/payment/data/${encodeURIComponent(id)}?k=${encodeURIComponent(token)}`}
        className="inline-flex min-h-11 items-center text-t2 underline underline-offset-4 hover:text-t1"
      >
        Ver, corrigir ou apagar os meus dados
      </a>
    </p>
  )
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
      <HomeLink variant="primary" />
    </div>
  )
}
