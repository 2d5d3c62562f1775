import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import { waitReasonLabels } from "@tilinta/contract/vocabulary/withdrawals"
import { sumOf } from "#admin/withdrawals/batch.ts"
import { useUser } from "#api/session.ts"
import { countOf, formatReais } from "#format/money-text.ts"
import { shortDestination } from "#format/withdrawal-texts.ts"
import { Button } from "#ui/button.tsx"
import { Card, EmptyState } from "#ui/card.tsx"
import { Checkbox } from "#ui/choice-inputs.tsx"
import { obstacleOf } from "./batch-data.ts"

interface Props {
  withdrawals: readonly AdminWithdrawalView[]
  /** Ids of those that are not to be paid now: all that can be are chosen at first. */
  left: ReadonlySet<string>
  onLeave: (left: ReadonlySet<string>) => void
  onStart: (chosen: readonly AdminWithdrawalView[]) => void
}

export function ChoosePayouts({ withdrawals, left, onLeave, onStart }: Props) {
  const adminId = useUser()?._id
  const payable = withdrawals.filter((each) => obstacleOf(each, adminId) === null)
  const chosen = payable.filter(({ _id }) => !left.has(_id))
  const total = `${countOf(chosen.length, "saque", "saques")} · ${formatReais(sumOf(chosen))}`
  if (withdrawals.length === 0) {
    return (
      <Card className="p-2">
        <EmptyState icon="check" title="Nada a pagar">
          Os saques aprovados que se pagam no banco aparecem aqui.
        </EmptyState>
      </Card>
    )
  }
  return (
    <Card className="p-2">
      <div className="flex flex-wrap items-center justify-between gap-3 px-3 pt-1 pb-2">
        <Checkbox
          label="Todos"
          className="text-label text-t2"
          checked={chosen.length === payable.length && payable.length > 0}
          onChange={() => onLeave(new Set(chosen.length === payable.length ? payable.map(({ _id }) => _id) : []))}
        />
        <Button
          variant="primary"
          icon="qr"
          aria-disabled={chosen.length === 0}
          onClick={() => chosen.length > 0 && onStart(chosen)}
        >
          Pagar {total}
        </Button>
      </div>
      <ul className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line border-t border-line">
        {withdrawals.map((withdrawal) => {
          const { _id, user, amount } = withdrawal
          const obstacle = obstacleOf(withdrawal, adminId)
          const note = obstacle ?? (withdrawal.owner === "other" ? waitReasonLabels.not_own : null)
          return (
            <li key={_id} className="flex items-center gap-3 px-3 py-2">
              <Checkbox
                labelHidden
                label={`${user.name}, ${formatReais(amount)}`}
                disabled={obstacle !== null}
                checked={obstacle === null && !left.has(_id)}
                onChange={() => onLeave(toggled(left, _id))}
              />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-semibold">{user.name}</span>
                <span className="block truncate text-meta text-t3">{shortDestination(withdrawal)}</span>
                {note !== null && <span className="block text-meta font-medium text-amber">{note}</span>}
              </span>
              <b className="flex-none font-semibold tabular-nums">{formatReais(amount)}</b>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}
