import type { Approval } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { Icon } from "#ui/icon.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import type { BatchReply } from "./use-approve-batch.ts"
import { WithdrawalStatusBadge } from "./withdrawal-status-badge.tsx"

interface Props {
  reply: BatchReply
  onOpen: (id: string) => void
  onClose: () => void
}

/** One line for each withdrawal: approved, or the reason why not. */
export function BatchResultDialog({ reply, onOpen, onClose }: Props) {
  const { approvals, approved } = reply.data
  const refused = approvals.filter(({ code }) => code !== null)
  return (
    <Dialog title="Resultado da aprovação" onClose={onClose} footer={<Button onClick={onClose}>Fechar</Button>}>
      <p role="status" className="text-t2">
        {reply.message}{" "}
        {approved.count > 0 && (
          <b className="font-semibold whitespace-nowrap text-t1 tabular-nums">
            Total: <Reais>{approved.amount}</Reais>
          </b>
        )}
      </p>
      {refused.length > 0 && <Rows title="Não aprovados" approvals={refused} onOpen={onOpen} />}
      {approved.count > 0 && (
        <Rows title="Aprovados" approvals={approvals.filter(({ code }) => code === null)} onOpen={onOpen} />
      )}
    </Dialog>
  )
}

interface RowsProps {
  title: string
  approvals: readonly Approval[]
  onOpen: Props["onOpen"]
}

function Rows({ title, approvals, onOpen }: RowsProps) {
  return (
    <section className="mt-5">
      <h3 className="text-label font-semibold text-t2">
        {title} ({approvals.length})
      </h3>
      <ul className="mt-1 grid grid-cols-[minmax(0,1fr)] divide-y divide-line text-label">
        {approvals.map((approval) => (
          <ResultRow key={approval._id} approval={approval} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  )
}

function ResultRow({
  approval: { _id, code, message, withdrawal },
  onOpen,
}: { approval: Approval } & Pick<Props, "onOpen">) {
  return (
    <li className="flex items-start gap-3 py-2.5">
      <Icon
        name={code === null ? "check" : "alert"}
        className={`mt-0.5 size-[18px] stroke-2 ${code === null ? "text-mint" : "text-amber"}`}
      />
      <span className="min-w-0 flex-1">
        {withdrawal === null ? (
          <b className="font-semibold">Saque desconhecido</b>
        ) : (
          <button
            type="button"
            onClick={() => onOpen(_id)}
            className="-my-[11px] block min-h-11 content-center min-w-11 max-w-full truncate text-left font-semibold underline-offset-4 hover:underline"
          >
            {withdrawal.user.name}
          </button>
        )}
        {code !== null && <span className="block text-t2">{message}</span>}
      </span>
      {withdrawal !== null && (
        <span className="flex flex-none flex-col items-end gap-1">
          <b className="font-semibold tabular-nums">
            <Reais>{withdrawal.amount}</Reais>
          </b>
          {code !== null && <WithdrawalStatusBadge status={withdrawal.status} />}
        </span>
      )}
    </li>
  )
}
