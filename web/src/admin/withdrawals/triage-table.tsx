import type { AdminWithdrawalView } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import { useRef } from "react"
import { useUser } from "#api/session.ts"
import { useShortcut } from "#ui/use-shortcut.ts"
import { focusedRow, useRowMoves } from "../row-keys.ts"
import { type Decision, decisionsOf } from "./decision.ts"
import { KeysHint } from "./keys-hint.tsx"
import { WithdrawalTable } from "./withdrawal-table.tsx"

interface Props {
  rows: readonly AdminWithdrawalView[]
  dimmed: boolean
  onDecide: (decision: Decision, withdrawal: AdminWithdrawalView) => void
}

/** J and K walk through the rows; A and R ask about the one that has the focus. */
export function TriageTable({ rows, dimmed, onDecide }: Props) {
  const table = useRef<HTMLDivElement>(null)
  const adminId = useUser()?._id
  const ask = (decision: Decision) => {
    const row = rows[focusedRow(table.current)]
    if (row !== undefined && decisionsOf(row, adminId).includes(decision)) onDecide(decision, row)
  }
  useRowMoves(table)
  useShortcut("a", () => ask("approve"))
  useShortcut("r", () => ask("reject"))
  return (
    <div ref={table}>
      <KeysHint />
      <WithdrawalTable rows={rows} dimmed={dimmed} onDecide={onDecide} />
    </div>
  )
}
