import type { ChangeEvent, ComponentPropsWithRef } from "react"
import { isTyping, maskedReais, reaisFromInput } from "./money-mask.ts"
import { controlClass } from "./text-input.tsx"

interface Props extends Omit<ComponentPropsWithRef<"input">, "value" | "onChange"> {
  value: number | null
  onChange: (reais: number | null) => void
}

export function MoneyInput({ value, onChange, className = "", ...rest }: Props) {
  function change(event: ChangeEvent<HTMLInputElement>): void {
    const { inputType, data } = event.nativeEvent as Partial<InputEvent>
    onChange(reaisFromInput(event.target.value, isTyping(inputType, data)))
  }

  return (
    <div className={`relative ${className}`}>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3.5 grid place-items-center text-t3"
      >
        R$
      </span>
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        placeholder="0,00"
        value={maskedReais(value)}
        onChange={change}
        className={`${controlClass} h-11 pr-3.5 pl-11 font-semibold tabular-nums`}
        {...rest}
      />
    </div>
  )
}
