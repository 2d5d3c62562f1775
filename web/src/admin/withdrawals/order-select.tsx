import { Select } from "#ui/select.tsx"
import { type Order, orderOptions } from "./withdrawals-search.ts"

export function OrderSelect({ value, onChange }: { value: Order; onChange: (word: string) => void }) {
  return (
    <Select
      aria-label="Ordem"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="shrink-0 basis-40 max-sm:basis-full"
    >
      {orderOptions.map(({ word, label }) => (
        <option key={word} value={word}>
          {label}
        </option>
      ))}
    </Select>
  )
}
