import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { DisputeView } from "@tilinta/contract/disputes"
import type { TransactionDetail } from "@tilinta/contract/transactions"
import type { SellerStatus } from "@tilinta/contract/vocabulary/transactions"
import { type ReactNode, useState } from "react"
import { detailOf, hasStatus, messageOf } from "#api/api-error.ts"
import { maskCpf, maskPhone } from "#format/masks.ts"
import { payerText, verifiedText } from "#format/receipt-texts.ts"
import { Disputes } from "#seller/disputes/disputes.tsx"
import { disputesQuery, momentsOfDispute } from "#seller/disputes/disputes-data.ts"
import { sellerTexts } from "#seller/seller-texts.ts"
import { Reais } from "#ui/amounts.tsx"
import { Button } from "#ui/button.tsx"
import { LoadFailure } from "#ui/card.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { CopyableCode, EmailFact, Fact, Facts, OrderFacts } from "#ui/facts.tsx"
import { lazyDialog, Skeleton } from "#ui/lazy-part.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { type Moment, Timeline } from "#ui/steps.tsx"
import { isRefundable, type RequestRefund, useRefunds } from "./refund-data.ts"
import { RefundDeadline, Refunds } from "./refunds.tsx"
import { TransactionStatusBadge } from "./transaction-title.tsx"
import { transactionQuery } from "./transactions-data.ts"

const endings = {
  pendente: null,
  pago: null,
  expirado: "Expirou sem pagamento",
  cancelado: "Cancelado",
  recusado: "Não foi possível gerar o código",
  estornado: "Valor estornado",
} as const satisfies Record<SellerStatus, string | null>

/** The events of a charge in chronological order. */
export function timelineOf(transaction: TransactionDetail, disputes: readonly DisputeView[] = []): Moment[] {
  const { createdAt, paidAt, updatedAt, expiresAt, status, metadata } = transaction
  const moments: Moment[] = [{ label: "Pix gerado", at: createdAt, tone: "done" }]
  if (paidAt !== null) {
    moments.push({ label: metadata.late ? "Pago depois do prazo" : "Pagamento confirmado", at: paidAt, tone: "good" })
  }
  const ending = endings[status]
  if (ending !== null) moments.push({ label: ending, at: status === "expirado" ? expiresAt : updatedAt, tone: "bad" })
  return [...moments, ...disputes.flatMap(momentsOfDispute)].toSorted((a, b) => a.at.localeCompare(b.at))
}

const RefundDialog = lazyDialog(() => import("./refund-dialog.tsx").then((module) => module.RefundDialog))

interface Props {
  id: string
  request: RequestRefund
  onClose: () => void
}

/** Addressable: a link to a payment can be kept, and 'back' closes it. */
export function TransactionDialog({ id, request, onClose }: Props) {
  const { data, error, isFetching, refetch } = useQuery(transactionQuery(id))
  const refunds = useRefunds(data)
  const disputes = useQuery({ ...disputesQuery(id), enabled: data !== undefined && data.paidAt !== null })
  const [refunding, setRefunding] = useState(false)
  const isFinal = hasStatus(error, 404) || hasStatus(error, 403)
  return (
    <>
      <Dialog
        title="Detalhes da transação"
        onClose={onClose}
        footer={
          isRefundable(data, refunds.data) && (
            <Button variant="quiet-danger" onClick={() => setRefunding(true)}>
              Estornar
            </Button>
          )
        }
      >
        {data !== undefined && (
          <Details
            transaction={data}
            disputes={disputes.data ?? []}
            refunds={
              <>
                <Refunds query={refunds} />
                <RefundDeadline transaction={data} known={refunds.data} />
              </>
            }
          />
        )}
        {data === undefined && error === null && <Waiting />}
        {data === undefined && isFinal && (
          <p role="alert" className="py-6 text-center text-t2">
            {messageOf(error, sellerTexts.transactionNotFound)}
          </p>
        )}
        {error !== null && !isFinal && (
          <LoadFailure
            message={messageOf(error, sellerTexts.transactionFailed)}
            detail={detailOf(error)}
            onRetry={() => void refetch()}
            busy={isFetching}
          />
        )}
      </Dialog>
      {refunding && data !== undefined && refunds.data !== undefined && (
        <RefundDialog transaction={data} known={refunds.data} request={request} onClose={() => setRefunding(false)} />
      )}
    </>
  )
}

function Waiting() {
  return (
    <div role="status" className="after-a-moment grid gap-4">
      <span className="sr-only">Carregando transação</span>
      <Skeleton className="h-10 w-48" />
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  )
}

interface DetailsProps {
  transaction: TransactionDetail
  refunds: ReactNode
  disputes: readonly DisputeView[]
}

function Details({ transaction, refunds, disputes }: DetailsProps) {
  const { description, checkoutPage, customerInfo: payer, metadata } = transaction
  return (
    <div className="grid gap-5">
      <div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <b className="text-[32px] leading-tight font-bold tracking-[-0.035em] tabular-nums">
            <Reais>{transaction.grossAmount}</Reais>
          </b>
          <TransactionStatusBadge status={transaction.status} />
        </p>
        <p className="mt-1 break-words text-t2">{description || checkoutPage.title}</p>
      </div>
      <Timeline moments={timelineOf(transaction, disputes)} />
      <Disputes disputes={disputes} />
      <Facts>
        <Fact term="Valor bruto">
          <Reais>{transaction.grossAmount}</Reais>
        </Fact>
        <Fact term="Taxa">
          <Reais>{-transaction.fee}</Reais>
        </Fact>
        <Fact term="Valor líquido">
          <b className="font-[650] text-t1">
            <Reais>{transaction.netAmount}</Reais>
          </b>
        </Fact>
        {transaction.refundedAmount > 0 && (
          <Fact term="Valor estornado">
            <Reais>{-transaction.refundedAmount}</Reais>
          </Fact>
        )}
      </Facts>
      {refunds}
      <Facts>
        <Fact term="Página de cobrança">
          {checkoutPage._id === null ? (
            checkoutPage.title
          ) : (
            <Link to="/checkouts/$id" params={{ id: checkoutPage._id }} className={inlineLink}>
              {checkoutPage.title}
            </Link>
          )}
        </Fact>
        <Fact term="Método">PIX</Fact>
        {transaction.paidAt !== null && (
          <Fact term="Recibo">{verifiedText(transaction.receiptVerifications ?? 0)}</Fact>
        )}
        <Fact term="Pagador">{payerText(transaction)}</Fact>
        {payer.email !== "" && <EmailFact email={payer.email} />}
        {payer.cpf !== "" && <Fact term="CPF">{maskCpf(payer.cpf)}</Fact>}
        {payer.phone !== "" && <Fact term="Telefone">{maskPhone(payer.phone)}</Fact>}
      </Facts>
      <OrderFacts transaction={transaction} />
      <div className="grid gap-3">
        {metadata.txid !== null && <CopyableCode label="Identificador (txid)" code={metadata.txid} />}
        {metadata.endToEndId !== null && <CopyableCode label="ID do Pix (endToEndId)" code={metadata.endToEndId} />}
      </div>
    </div>
  )
}
