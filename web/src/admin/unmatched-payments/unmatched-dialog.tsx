import { useQuery } from "@tanstack/react-query"
import type { AdminRefundView } from "@tilinta/contract/refunds"
import type { UnmatchedPaymentView } from "@tilinta/contract/unmatched-payments"
import { isOpenUnmatchedPayment } from "@tilinta/contract/vocabulary/transactions"
import type { ReactNode } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { Effect, RefundItem } from "#admin/detail-sections.tsx"
import { type SettleAction, settleActions } from "#admin/hand-settlements/settle-words.ts"
import { AuditLink } from "#admin/status-cards.tsx"
import { useUser } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { AmountFact, AmountHead, CopyableCode, DetailList, EmailFact, Fact, Facts } from "#ui/facts.tsx"
import { OpenedRow } from "#ui/opened-row.tsx"
import {
  creditedSeller,
  type Decision,
  decisions,
  decisionWords,
  effectLines,
  explanationOf,
  paymentQuery,
  reasonWords,
} from "./unmatched-data.ts"
import { UnmatchedPaymentStatusBadge } from "./unmatched-table.tsx"

interface Props {
  id: string
  /** The row from the list, shown until its details are loaded. */
  listed: UnmatchedPaymentView | undefined
  onDecide: (decision: Decision, payment: UnmatchedPaymentView) => void
  onSettle: (action: SettleAction, refund: AdminRefundView, payment: UnmatchedPaymentView) => void
  onClose: () => void
}

/** Addressable: its address opens it again, wherever in the list it is. */
export function UnmatchedDialog({ id, listed, onDecide, onSettle, onClose }: Props) {
  const opened = useQuery({ ...paymentQuery(id), initialData: () => listed, initialDataUpdatedAt: 0 })
  const adminId = useUser()?._id
  const { data } = opened
  const sellerId = data?.user?._id
  const isOwn = sellerId !== undefined && sellerId === adminId
  return (
    <Dialog
      title="Pagamento a conferir"
      onClose={onClose}
      footer={
        data !== undefined &&
        isOpenUnmatchedPayment(data.status) && (
          <Decisions
            payment={data}
            refused={isOwn ? "accept" : undefined}
            onDecide={(decision) => onDecide(decision, data)}
          />
        )
      }
    >
      <OpenedRow query={opened} waiting="Carregando pagamento a conferir" failed={adminTexts.unmatchedOneFailed}>
        {(payment) => (
          <Details payment={payment} isOwn={isOwn}>
            <ReturnSection payment={payment} adminId={adminId} onSettle={onSettle} />
          </Details>
        )}
      </OpenedRow>
    </Dialog>
  )
}

interface DetailsProps {
  payment: UnmatchedPaymentView
  isOwn: boolean
  /** Its refund. */
  children: ReactNode
}

function Details({ payment, isOwn, children }: DetailsProps) {
  return (
    <div className="grid gap-5">
      <div>
        <AmountHead reais={payment.amount}>
          <UnmatchedPaymentStatusBadge status={payment.status} />
        </AmountHead>
        <p className="mt-3 font-semibold">{reasonWords[payment.reason].label}</p>
        <p className="text-t2">{explanationOf(payment)}</p>
      </div>
      {isOwn && isOpenUnmatchedPayment(payment.status) && (
        <p className="rounded-m border border-line-2 bg-s2 px-4 py-3 text-label">{adminTexts.ownUnmatched}</p>
      )}
      {isOpenUnmatchedPayment(payment.status) && <Effects payment={payment} />}
      {children}
      <PaymentFacts payment={payment} />
      <div className="grid gap-3">
        {payment.txid !== null && <CopyableCode label="Identificador (txid)" code={payment.txid} />}
        <CopyableCode label="ID do Pix (endToEndId)" code={payment.endToEndId} />
      </div>
      {payment.decidedAt !== null && <AuditLink subject="unmatched_payment" id={payment._id} />}
    </div>
  )
}

interface ReturnProps extends Pick<Props, "onSettle"> {
  payment: UnmatchedPaymentView
  adminId: string | undefined
}

function ReturnSection({ payment, adminId, onSettle }: ReturnProps) {
  const { refund } = payment
  if (refund === null) return null
  return (
    <DetailList title="Devolução" className="mt-1 text-label">
      <RefundItem
        refund={refund}
        actions={settleActions(refund, { adminId, sellerId: creditedSeller(payment)?._id })}
        onSettle={(action) => onSettle(action, refund, payment)}
      />
    </DetailList>
  )
}

interface DecisionsProps {
  payment: UnmatchedPaymentView
  refused: Decision | undefined
  onDecide: (decision: Decision) => void
}

/** The suggested decision is the primary button, and comes last. */
function Decisions({ payment, refused, onDecide }: DecisionsProps) {
  return decisions
    .toSorted((a, b) => Number(a === payment.suggestion) - Number(b === payment.suggestion))
    .map((decision) => (
      <Button
        key={decision}
        variant={decision === payment.suggestion ? "primary" : "secondary"}
        disabled={decision === refused}
        onClick={() => onDecide(decision)}
      >
        {decisionWords[decision].verb}
      </Button>
    ))
}

function Effects({ payment }: { payment: UnmatchedPaymentView }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {decisions.map((decision) => (
        <Effect
          key={decision}
          title={decisionWords[decision].verb}
          isSuggested={decision === payment.suggestion}
          lines={effectLines(payment.effect[decision])}
        />
      ))}
    </div>
  )
}

function PaymentFacts({ payment }: { payment: UnmatchedPaymentView }) {
  const { user, checkoutPage, transaction, decidedAt, adminNotes } = payment
  return (
    <Facts>
      <Fact term="Pago em">{formatDateTime(payment.paidAt)}</Fact>
      <Fact term="Recebido em">{formatDateTime(payment.receivedAt)}</Fact>
      <Fact term="Vendedor">{user?.name ?? "Desconhecido"}</Fact>
      {user !== null && <EmailFact email={user.email} />}
      {checkoutPage !== null && <Fact term="Página de cobrança">{checkoutPage.title}</Fact>}
      {transaction !== null && <AmountFact term="Valor da cobrança" reais={transaction.amount} />}
      {decidedAt !== null && <Fact term="Conferido em">{formatDateTime(decidedAt)}</Fact>}
      {adminNotes !== "" && <Fact term="Observações">{adminNotes}</Fact>}
    </Facts>
  )
}
