import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { AdminTransactionDetails } from "@tilinta/contract/admin-transactions"
import type { AdminRefundView } from "@tilinta/contract/refunds"
import { disputeReasonLabels } from "@tilinta/contract/vocabulary/dispute-status"
import { paymentMethodLabels } from "@tilinta/contract/vocabulary/withdrawals"
import { LedgerSection, RefundItem, TransactionStatusBadge } from "#admin/detail-sections.tsx"
import { stateWords, transactionDisputesQuery } from "#admin/disputes/disputes-data.ts"
import { type SettleAction, settleActions } from "#admin/hand-settlements/settle-words.ts"
import { AuditLink } from "#admin/status-cards.tsx"
import { useUser } from "#api/session.ts"
import { payerText, verifiedText } from "#format/receipt-texts.ts"
import { TransactionCodes, TransactionHead } from "#parts/transactions/transaction-details.tsx"
import { Reais } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { AmountFact, DetailList, EmailFact, Fact, Facts, OrderFacts } from "#ui/facts.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { Timeline } from "#ui/steps.tsx"
import { momentsOf } from "./transactions-data.ts"

/** Part of a transaction's details; renders nothing without disputes. */
function TransactionDisputes({ transactionId }: { transactionId: string }) {
  const { data } = useQuery(transactionDisputesQuery(transactionId))
  if (data === undefined || data.length === 0) return null
  return (
    <DetailList title="Contestações">
      {data.map(({ _id, amount, reason, status }) => (
        <li key={_id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
          <Link to="/admin/disputes" search={{ status: "all", dispute: _id }} className={`min-w-0 ${inlineLink}`}>
            <b className="font-semibold tabular-nums">
              <Reais>{amount}</Reais>
            </b>{" "}
            · {disputeReasonLabels[reason]}
          </Link>
          <Badge tone={stateWords[status].tone}>{stateWords[status].label}</Badge>
        </li>
      ))}
    </DetailList>
  )
}

interface Props {
  transaction: AdminTransactionDetails
  refunds: readonly AdminRefundView[]
  onSettle: (refund: AdminRefundView, action: SettleAction) => void
}

export function TransactionDetails({ transaction, refunds, onSettle }: Props) {
  const adminId = useUser()?._id
  const { metadata, ledger } = transaction
  const needsPerson = refunds.some(({ settleable }) => settleable)
  const refundsSection = refunds.length > 0 && (
    <DetailList title="Estornos">
      {refunds.map((refund) => (
        <RefundItem
          key={refund._id}
          refund={refund}
          actions={settleActions(refund, { adminId, sellerId: transaction.user._id })}
          onSettle={(action) => onSettle(refund, action)}
        />
      ))}
    </DetailList>
  )
  return (
    <div className="grid gap-5">
      <TransactionHead transaction={transaction}>
        <TransactionStatusBadge status={transaction.status} />
        {metadata.late && <Badge tone="warning">Fora do prazo</Badge>}
        {metadata.duplicate && <Badge tone="warning">Em duplicidade</Badge>}
      </TransactionHead>
      {needsPerson && refundsSection}
      <Timeline moments={momentsOf(transaction)} />
      <Amounts transaction={transaction} />
      <People transaction={transaction} />
      <OrderFacts transaction={transaction} />
      <TransactionCodes transaction={transaction} />
      {transaction.paidAt !== null && <TransactionDisputes transactionId={transaction._id} />}
      {!needsPerson && refundsSection}
      <LedgerSection lines={ledger} />
      {refunds.length > 0 && <AuditLink subject="transaction" id={transaction._id} />}
    </div>
  )
}

function Amounts({ transaction }: { transaction: AdminTransactionDetails }) {
  return (
    <Facts>
      <AmountFact term="Valor bruto" reais={transaction.grossAmount} />
      <AmountFact term="Taxa" reais={-transaction.fee} />
      {transaction.refundedAmount > 0 && <AmountFact term="Valor estornado" reais={-transaction.refundedAmount} />}
      <AmountFact term="Valor líquido" reais={transaction.netAmount} strong />
    </Facts>
  )
}

function People({ transaction }: { transaction: AdminTransactionDetails }) {
  const { user, checkoutPage, metadata } = transaction
  return (
    <Facts>
      <Fact term="Vendedor">
        <Link to="/admin/users" search={{ user: user._id }} className={inlineLink}>
          {user.name}
        </Link>
      </Fact>
      <EmailFact email={user.email} />
      <Fact term="Página de cobrança">
        <PageLink page={checkoutPage} />
      </Fact>
      <Fact term="Pagador">{payerText(transaction)}</Fact>
      <Fact term="Método">{paymentMethodLabels[transaction.paymentMethod] ?? "Outros"}</Fact>
      {transaction.receiptVerifications > 0 && (
        <Fact term="Comprovante">{verifiedText(transaction.receiptVerifications)}</Fact>
      )}
      {metadata.reason === "expired" && <Fact term="Motivo">Expirou sem pagamento</Fact>}
    </Facts>
  )
}

/** A deleted page has no address any more, so its title is plain text. */
function PageLink({ page: { _id, title } }: { page: AdminTransactionDetails["checkoutPage"] }) {
  if (_id === null) return title
  return (
    <Link to="/admin/checkout-pages" search={{ checkout: _id }} className={inlineLink}>
      {title}
    </Link>
  )
}
