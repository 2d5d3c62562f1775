import type { AdminWithdrawalView } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import { useRef } from "react"
import { useUser } from "#api/session.ts"
import { countOf } from "#format/count.ts"
import { Checkbox } from "#ui/checkbox.tsx"
import { useShortcut } from "#ui/use-shortcut.ts"
import { focusedRow, useRowMoves } from "../row-keys.ts"
import { sumOf } from "./batch.ts"
import { KeysHint } from "./keys-hint.tsx"
import { SelectionBar } from "./selection-bar.tsx"
import { useSelection } from "./use-selection.ts"
import { type Decision, decisionsOf } from "./withdrawal-decision.ts"
import type { Question } from "./withdrawal-dialogs.tsx"
import { WithdrawalTable } from "./withdrawal-table.tsx"

interface Props {
  rows: readonly AdminWithdrawalView[]
  dimmed: boolean
  allWait: boolean
  onAsk: (question: Question) => void
}

/** J and K move through the rows; X selects the focused one, A and R open the dialog for it, or for all selected. */
export function TriageTable({ rows, dimmed, allWait, onAsk }: Props) {
  const table = useRef<HTMLDivElement>(null)
  const adminId = useUser()?._id
  const approvable = rows.filter((row) => decisionsOf(row, adminId).includes("approve"))
  const selection = useSelection(approvable)
  const { chosen } = selection
  const focused = () => rows[focusedRow(table.current)]
  const ask = (decision: Decision) => {
    const withdrawal = focused()
    if (withdrawal === undefined || !decisionsOf(withdrawal, adminId).includes(decision)) return
    onAsk({ about: "one", decision, withdrawal })
  }
  const askAboutChosen = () => onAsk({ about: "batch", withdrawals: chosen })
  useRowMoves(table)
  useShortcut("a", () => (chosen.length > 0 ? askAboutChosen() : ask("approve")))
  useShortcut("r", () => ask("reject"))
  useShortcut("x", () => {
    const row = focused()
    if (row !== undefined && approvable.includes(row)) selection.toggle(row, false)
  })
  return (
    <div ref={table}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 px-3.5">
        {approvable.length > 0 && (
          <Checkbox
            label={`Selecionar ${countOf(approvable.length, "pendente", "pendentes")} desta página`}
            className="text-label text-t2"
            checked={chosen.length === approvable.length}
            onChange={selection.toggleAll}
          />
        )}
        <KeysHint />
      </div>
      <WithdrawalTable
        rows={rows}
        dimmed={dimmed}
        allWait={allWait}
        selection={approvable.length > 0 ? { ...selection, canChoose: (row) => approvable.includes(row) } : null}
        onDecide={(decision, withdrawal) => onAsk({ about: "one", decision, withdrawal })}
      />
      {chosen.length > 0 && (
        <SelectionBar
          count={chosen.length}
          amount={sumOf(chosen)}
          onApprove={askAboutChosen}
          onClear={selection.clear}
        />
      )}
    </div>
  )
}
