import { Link } from "@tanstack/react-router"
import type { ApprovalView } from "@tilinta/contract/approvals"
import { secondApprovalLabels } from "@tilinta/contract/vocabulary/people"
import { useId } from "react"
import { notPaidVerb } from "#admin/withdrawals/withdrawals-data.ts"
import { formatDateTime } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/field.tsx"
import { Icon } from "#ui/icon.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { changeLines, effects } from "./approval-words.ts"

/** Everything that would change: the second person decides about nothing unseen. */
function ChangeList({ approval }: { approval: ApprovalView }) {
  return (
    <dl className="grid gap-1.5 rounded-m border border-line bg-bg px-4 py-2.5 text-label wrap-anywhere">
      {changeLines(approval, formatReais).map(({ label, before, after }) => (
        <div key={label} className="flex flex-wrap gap-x-2">
          <dt className="text-t2">{label}:</dt>
          <dd className="min-w-0 text-t1">
            {before !== null && (
              <>
                <span className="sr-only">de </span>
                <s className="text-t3 no-underline">{before}</s>
                <Icon name="arrowRight" className="mx-1 inline size-3.5 text-t3" />
                <span className="sr-only"> para </span>
              </>
            )}
            <b className="font-semibold">{after}</b>
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface Props {
  approval: ApprovalView
  /** Why somebody looks at the bank before they agree; null where nothing asks for it. */
  doubt: string | null
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

export function AgreeDialog({ approval, doubt, busy, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      title={`${secondApprovalLabels[approval.act]}?`}
      verb={doubt === null ? "Aprovar" : notPaidVerb}
      variant="primary"
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        <b className="font-semibold wrap-anywhere text-t1">{approval.subject.name}</b>, a pedido de{" "}
        <b className="font-semibold wrap-anywhere text-t1">{approval.askedBy.name}</b>.
      </p>
      <ChangeList approval={approval} />
      <p>{effects[approval.act]}</p>
      <FormAlert message={doubt} />
    </ConfirmDialog>
  )
}

interface ApprovalCardProps {
  approval: ApprovalView
  isOwn: boolean
  busy: boolean
  onAgree: () => void
  onRefuse: () => void
}

export function ApprovalCard({ approval, isOwn, busy, onAgree, onRefuse }: ApprovalCardProps) {
  const titleId = useId()
  const { act, subject, askedBy, askedAt, expiresAt } = approval
  return (
    <li
      aria-labelledby={titleId}
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-xl border border-line bg-s1 p-5 shadow-card md:p-6"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 id={titleId} className="text-section font-[650] break-words">
            {secondApprovalLabels[act]}: {subject.name}
          </h2>
          <p className="mt-1 text-label text-t2">
            {isOwn ? "Você pediu" : `${askedBy.name} pediu`} em {formatDateTime(askedAt)}. Vence em{" "}
            {formatDateTime(expiresAt)}.
          </p>
        </div>
        <Badge tone={isOwn ? "secondary" : "warning"}>
          {isOwn ? "Aguarda a segunda pessoa" : "Espera a sua decisão"}
        </Badge>
      </div>
      <ChangeList approval={approval} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <ThingLink approval={approval} />
        <div className="ml-auto flex flex-wrap gap-3">
          <Button variant="quiet-danger" disabled={busy} onClick={onRefuse}>
            {isOwn ? "Retirar pedido" : "Recusar"}
          </Button>
          {!isOwn && (
            <Button variant="primary" disabled={busy} onClick={onAgree}>
              Aprovar
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}

const aboutUsers: ReadonlySet<ApprovalView["act"]> = new Set([
  "user.change",
  "user.unfreeze",
  "destination.owner",
  "automatic_pix.allow",
])

function ThingLink({ approval: { act, subject } }: { approval: ApprovalView }) {
  if (act === "withdrawal.approve" || act === "withdrawal.return") {
    return (
      <Link to="/admin/withdrawals" search={{ withdrawal: subject._id }} className={inlineLink}>
        Ver o saque
      </Link>
    )
  }
  if (act === "unmatched_payment.accept" || act === "unmatched_payment.return") {
    return (
      <Link to="/admin/unmatched-payments" search={{ payment: subject._id }} className={inlineLink}>
        Ver o pagamento
      </Link>
    )
  }
  if (act === "refund.request") {
    return (
      <Link to="/admin/transactions" search={{ transaction: subject._id }} className={inlineLink}>
        Ver a transação
      </Link>
    )
  }
  if (act === "dispute.close") {
    return (
      <Link to="/admin/disputes" search={{ dispute: subject._id }} className={inlineLink}>
        Ver a contestação
      </Link>
    )
  }
  if (aboutUsers.has(act)) {
    return (
      <Link to="/admin/users" search={{ user: subject._id }} className={inlineLink}>
        Ver o usuário
      </Link>
    )
  }
  return null
}
