import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { DisputeView } from "@tilinta/contract/disputes"
import type { TransactionDetail } from "@tilinta/contract/transactions"
import { managers } from "@tilinta/contract/vocabulary/team"
import type { SellerStatus } from "@tilinta/contract/vocabulary/transactions"
import { type ReactNode, useState } from "react"
import { useMay } from "#api/session.ts"
import { maskCnpj, maskCpf, maskPhone } from "#format/masks.ts"
import { payerText, verifiedText } from "#format/receipt-texts.ts"
import { TransactionCodes, TransactionHead } from "#parts/transactions/transaction-details.tsx"
import { Disputes } from "#seller/disputes/disputes.tsx"
import { disputesQuery, momentsOfDispute } from "#seller/disputes/disputes-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { AmountFact, EmailFact, Fact, Facts, OrderFacts } from "#ui/facts.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { OpenedRow } from "#ui/opened-row.tsx"
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

const RefundDialog = lazyDialog(() => import("./refund-dialog.tsx"), "RefundDialog")

interface Props {
  id: string
  request: RequestRefund
  onClose: () => void
}

/** Addressable: a link to a payment can be kept, and 'back' closes it. */
export function TransactionDialog({ id, request, onClose }: Props) {
  const opened = useQuery(transactionQuery(id))
  const { data } = opened
  const refunds = useRefunds(data)
  const disputes = useQuery({ ...disputesQuery(id), enabled: data !== undefined && data.paidAt !== null })
  const mayRefund = useMay(managers)
  const [refunding, setRefunding] = useState(false)
  return (
    <>
      <Dialog
        title="Detalhes da transação"
        onClose={onClose}
        footer={
          mayRefund &&
          isRefundable(data, refunds.data) && (
            <Button variant="quiet-danger" onClick={() => setRefunding(true)}>
              Estornar
            </Button>
          )
        }
      >
        <OpenedRow query={opened} waiting="Carregando transação" failed={sellerTexts.transactionFailed}>
          {(transaction) => (
            <Details transaction={transaction} disputes={disputes.data ?? []}>
              <Refunds query={refunds} />
              <RefundDeadline transaction={transaction} known={refunds.data} />
            </Details>
          )}
        </OpenedRow>
      </Dialog>
      {refunding && data !== undefined && refunds.data !== undefined && (
        <RefundDialog transaction={data} known={refunds.data} request={request} onClose={() => setRefunding(false)} />
      )}
    </>
  )
}

interface DetailsProps {
  transaction: TransactionDetail
  /** Its refunds. */
  children: ReactNode
  disputes: readonly DisputeView[]
}

function Details({ transaction, disputes, children }: DetailsProps) {
  const { checkoutPage, customerInfo: payer } = transaction
  const maySell = useMay(managers)
  return (
    <div className="grid gap-5">
      <TransactionHead transaction={transaction}>
        <TransactionStatusBadge status={transaction.status} />
      </TransactionHead>
      <Timeline moments={timelineOf(transaction, disputes)} />
      <Disputes disputes={disputes} />
      <Facts>
        <AmountFact term="Valor bruto" reais={transaction.grossAmount} />
        <AmountFact term="Taxa" reais={-transaction.fee} />
        <AmountFact term="Valor líquido" reais={transaction.netAmount} strong />
        {transaction.refundedAmount > 0 && <AmountFact term="Valor estornado" reais={-transaction.refundedAmount} />}
      </Facts>
      {children}
      <Facts>
        <Fact term="Página de cobrança">
          {checkoutPage._id === null || !maySell ? (
            checkoutPage.title
          ) : (
            <Link to="/checkouts/$id" params={{ id: checkoutPage._id }} className={inlineLink}>
              {checkoutPage.title}
            </Link>
          )}
        </Fact>
        <Fact term="Método">PIX</Fact>
        {(transaction.receiptVerifications ?? 0) > 0 && (
          <Fact term="Comprovante">{verifiedText(transaction.receiptVerifications ?? 0)}</Fact>
        )}
        <Fact term="Pagador">{payerText(transaction)}</Fact>
        {payer.email !== "" && <EmailFact email={payer.email} />}
        {payer.cpf !== "" && <Fact term="CPF">{maskCpf(payer.cpf)}</Fact>}
        {payer.cnpj !== "" && <Fact term="CNPJ">{maskCnpj(payer.cnpj)}</Fact>}
        {payer.phone !== "" && <Fact term="Telefone">{maskPhone(payer.phone)}</Fact>}
      </Facts>
      <OrderFacts transaction={transaction} />
      <TransactionCodes transaction={transaction} />
    </div>
  )
}
