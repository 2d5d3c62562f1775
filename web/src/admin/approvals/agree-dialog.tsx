import type { ApprovalView } from "@tilinta/contract/api/approvals-endpoints"
import { secondApprovalLabels } from "@tilinta/contract/vocabulary/second-approvals"
import { ConfirmDialog } from "#ui/confirm-dialog.tsx"
import { effects } from "./approval-words.ts"
import { ChangeList } from "./change-list.tsx"

interface Props {
  approval: ApprovalView
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

export function AgreeDialog({ approval, busy, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      title={`${secondApprovalLabels[approval.act]}?`}
      verb="Aprovar"
      look="primary"
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
    </ConfirmDialog>
  )
}
