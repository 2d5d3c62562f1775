import { countOf } from "#format/count.ts"
import { Button } from "#ui/button.tsx"
import { useReais } from "#ui/shown-amounts.ts"

interface Props {
  count: number
  amount: number
  onApprove: () => void
  onClear: () => void
}

/** The number and sum of the selected rows; it stays visible while the list scrolls. */
export function SelectionBar({ count, amount, onApprove, onClear }: Props) {
  const shown = useReais()
  const sum = `${countOf(count, "saque", "saques")} · ${shown(amount)}`
  return (
    <div className="sticky bottom-3 z-2 mx-1 mt-2 flex flex-wrap items-center justify-between gap-x-2 gap-y-1 rounded-l border border-line-2 bg-s2 py-2 pr-2 pl-4 shadow-float">
      <p role="status" className="min-w-0 flex-1 font-semibold tabular-nums">
        {count === 1 ? "Selecionado" : "Selecionados"}: {sum}
      </p>
      <Button look="ghost" aria-label="Limpar seleção" className="px-3" onClick={onClear}>
        Limpar
      </Button>
      <Button look="primary" icon="check" className="max-sm:-ml-2 max-sm:w-[calc(100%+8px)]" onClick={onApprove}>
        Aprovar {sum}
      </Button>
    </div>
  )
}
