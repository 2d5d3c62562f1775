import { Select } from "#ui/select.tsx"
import type { Order } from "../search-params.ts"

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
