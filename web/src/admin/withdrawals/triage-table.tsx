import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import { useRef } from "react"
import type { Order } from "#admin/search-params.ts"
import { useUser } from "#api/session.ts"
import { countOf } from "#format/money-text.ts"
import { useReais } from "#ui/amounts.tsx"
import { useShortcut } from "#ui/browser-hooks.ts"
import { Button } from "#ui/button.tsx"
import { Checkbox, Select } from "#ui/choice-inputs.tsx"
import { focusedRow, Kbd, useRowMoves } from "#ui/row-keys.tsx"
import { sumOf, useSelection } from "./batch.ts"
import { type Decision, decisionsOf } from "./withdrawal-decision.ts"
import type { Question } from "./withdrawal-dialogs.tsx"
import { WithdrawalTable } from "./withdrawal-table.tsx"

const hints = [
  { keys: ["J", "K"], does: "percorrer" },
  { keys: ["X"], does: "selecionar" },
  { keys: ["A"], does: "aprovar" },
  { keys: ["R"], does: "rejeitar" },
  { keys: ["?"], does: "atalhos" },
] as const

/** Keyboard shortcuts; hidden on touch devices. */
function KeysHint() {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1.5 py-1.5 text-meta text-t3 max-md:hidden touch:hidden">
      {hints.map(({ keys, does }) => (
        <span key={does} className="flex items-center gap-1.5">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}{" "}
          {does}
        </span>
      ))}
    </p>
  )
}

interface Props {
  count: number
  amount: number
  onApprove: () => void
  onClear: () => void
}

/** The number and sum of the selected rows; it stays visible while the list scrolls. */
function SelectionBar({ count, amount, onApprove, onClear }: Props) {
  const shown = useReais()
  const sum = `${countOf(count, "saque", "saques")} · ${shown(amount)}`
  return (
    <div className="sticky bottom-3 z-2 mx-1 mt-2 flex flex-wrap items-center justify-between gap-x-2 gap-y-1 rounded-l border border-line-2 bg-s2 py-2 pr-2 pl-4 shadow-float">
      <p role="status" className="min-w-0 flex-1 font-semibold tabular-nums">
        {count === 1 ? "Selecionado" : "Selecionados"}: {sum}
      </p>
      <Button variant="ghost" aria-label="Limpar seleção" className="px-3" onClick={onClear}>
        Limpar
      </Button>
      <Button variant="primary" icon="check" className="max-sm:-ml-2 max-sm:w-[calc(100%+8px)]" onClick={onApprove}>
        Aprovar {sum}
      </Button>
    </div>
  )
}

const options: readonly { word: Order; label: string }[] = [
  { word: "oldest", label: "Mais antigos" },
  { word: "newest", label: "Mais novos" },
]

export function OrderSelect({ value, onChange }: { value: Order; onChange: (word: string) => void }) {
  return (
    <Select
      aria-label="Ordem"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="shrink-0 basis-40"
    >
      {options.map(({ word, label }) => (
        <option key={word} value={word}>
          {label}
        </option>
      ))}
    </Select>
  )
}

interface TriageTableProps {
  rows: readonly AdminWithdrawalView[]
  dimmed: boolean
  allWait: boolean
  onAsk: (question: Question) => void
}

/** J and K move through the rows; X selects the focused one, A and R open the dialog for it, or for all selected. */
export function TriageTable({ rows, dimmed, allWait, onAsk }: TriageTableProps) {
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
