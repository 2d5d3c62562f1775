import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { AdminTransactionDetails } from "@tilinta/contract/admin-transactions"
import type { AdminRefundView } from "@tilinta/contract/refunds"
import { disputeReasonLabels } from "@tilinta/contract/vocabulary/dispute-status"
import { paymentMethodLabels } from "@tilinta/contract/vocabulary/withdrawals"
import type { ReactNode } from "react"
import { stateWords, transactionDisputesQuery } from "#admin/disputes/disputes-data.ts"
import { type SettleAction, settleActions } from "#admin/hand-settlements/settle-words.ts"
import { RefundItem, TransactionStatusBadge } from "#admin/refund-item.tsx"
import { AuditLink } from "#admin/status-cards.tsx"
import { useUser } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import { payerText, verifiedText } from "#format/receipt-texts.ts"
import { Reais } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { CopyableCode, EmailFact, Fact, Facts, OrderFacts } from "#ui/facts.tsx"
import { Icon } from "#ui/icon.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { Timeline } from "#ui/steps.tsx"
import { momentsOf } from "./transactions-data.ts"

/** Part of a transaction's details; renders nothing without disputes. */
function TransactionDisputes({ transactionId }: { transactionId: string }) {
  const { data } = useQuery(transactionDisputesQuery(transactionId))
  if (data === undefined || data.length === 0) return null
  return (
    <section className="border-t border-line pt-4">
      <h3 className="text-label font-semibold text-t2">Contestações</h3>
      <ul className="mt-1 grid divide-y divide-line text-label">
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
      </ul>
    </section>
  )
}

interface Props {
  transaction: AdminTransactionDetails
  refunds: readonly AdminRefundView[]
  onSettle: (refund: AdminRefundView, action: SettleAction) => void
}

export function TransactionDetails({ transaction, refunds, onSettle }: Props) {
  const adminId = useUser()?._id
  const { description, checkoutPage, metadata, ledger } = transaction
  const needsPerson = refunds.some(({ settleable }) => settleable)
  const refundsSection = refunds.length > 0 && (
    <Section title="Estornos">
      {refunds.map((refund) => (
        <RefundItem
          key={refund._id}
          refund={refund}
          actions={settleActions(refund, { adminId, sellerId: transaction.user._id })}
          onSettle={(action) => onSettle(refund, action)}
        />
      ))}
    </Section>
  )
  return (
    <div className="grid gap-5">
      <div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <b className="text-[32px] leading-tight font-bold tracking-[-0.035em] tabular-nums">
            <Reais>{transaction.grossAmount}</Reais>
          </b>
          <TransactionStatusBadge status={transaction.status} />
          {metadata.late && <Badge tone="warning">Fora do prazo</Badge>}
          {metadata.duplicate && <Badge tone="warning">Em duplicidade</Badge>}
        </p>
        <p className="mt-1 break-words text-t2">{description || checkoutPage.title}</p>
      </div>
      {needsPerson && refundsSection}
      <Timeline moments={momentsOf(transaction)} />
      <Amounts transaction={transaction} />
      <People transaction={transaction} />
      <OrderFacts transaction={transaction} />
      <div className="grid gap-3">
        {metadata.txid !== null && <CopyableCode label="Identificador (txid)" code={metadata.txid} />}
        {metadata.endToEndId !== null && <CopyableCode label="ID do Pix (endToEndId)" code={metadata.endToEndId} />}
      </div>
      {transaction.paidAt !== null && <TransactionDisputes transactionId={transaction._id} />}
      {!needsPerson && refundsSection}
      {ledger.length > 0 && (
        <Section title="Lançamentos contábeis">
          {ledger.map(({ at, debit, credit, amount }, line) => (
            <li key={`${at} ${line}`} className="flex items-baseline justify-between gap-4 py-2.5">
              <span className="min-w-0">
                <span className="block break-words">
                  {debit} <Icon name="arrowRight" className="inline size-3.5 stroke-2 text-t3" /> {credit}
                </span>
                <time dateTime={at} className="text-meta text-t3 tabular-nums">
                  {formatDateTime(at)}
                </time>
              </span>
              <b className="flex-none font-semibold tabular-nums">
                <Reais>{amount}</Reais>
              </b>
            </li>
          ))}
        </Section>
      )}
      {refunds.length > 0 && <AuditLink subject="transaction" id={transaction._id} />}
    </div>
  )
}

function Amounts({ transaction }: { transaction: AdminTransactionDetails }) {
  return (
    <Facts>
      <Fact term="Valor bruto">
        <Reais>{transaction.grossAmount}</Reais>
      </Fact>
      <Fact term="Taxa">
        <Reais>{-transaction.fee}</Reais>
      </Fact>
      {transaction.refundedAmount > 0 && (
        <Fact term="Valor estornado">
          <Reais>{-transaction.refundedAmount}</Reais>
        </Fact>
      )}
      <Fact term="Valor líquido">
        <b className="font-[650] text-t1">
          <Reais>{transaction.netAmount}</Reais>
        </b>
      </Fact>
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
      {transaction.paidAt !== null && <Fact term="Recibo">{verifiedText(transaction.receiptVerifications)}</Fact>}
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

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line pt-4">
      <h3 className="text-label font-semibold text-t2">{title}</h3>
      <ul className="mt-1 grid divide-y divide-line text-label">{children}</ul>
    </section>
  )
}
