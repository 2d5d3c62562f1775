import { Link } from "@tanstack/react-router"
import type { ApprovalView } from "@tilinta/contract/api/approvals-endpoints"
import { secondApprovalLabels } from "@tilinta/contract/vocabulary/second-approvals"
import { useId } from "react"
import { formatDateTime } from "#format/date.ts"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { inlineLink } from "#ui/inline-link.ts"
import { ChangeList } from "./change-list.tsx"

interface Props {
  approval: ApprovalView
  isOwn: boolean
  busy: boolean
  onAgree: () => void
  onRefuse: () => void
}

export function ApprovalCard({ approval, isOwn, busy, onAgree, onRefuse }: Props) {
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
          <Button look="quiet-danger" disabled={busy} onClick={onRefuse}>
            {isOwn ? "Retirar pedido" : "Recusar"}
          </Button>
          {!isOwn && (
            <Button look="primary" disabled={busy} onClick={onAgree}>
              Aprovar
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}

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
  if (act === "user.change" || act === "user.unfreeze") {
    return (
      <Link to="/admin/users" search={{ user: subject._id }} className={inlineLink}>
        Ver o usuário
      </Link>
    )
  }
  return null
}
