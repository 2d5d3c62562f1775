import { parseReais } from "@tilinta/contract/vocabulary/money"
import { type ChangeEvent, type ComponentPropsWithRef, useState } from "react"
import { controlClass } from "./field.tsx"

const maxDigits = 9
const twoDecimals = new Intl.NumberFormat("pt-BR", { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export function maskedReais(reais: number | null): string {
  return reais === null ? "" : twoDecimals.format(reais)
}

/** Fills from the cents, as in bank apps: each typed digit shifts the others to the left. */
function reaisFromTyping(text: string): number | null {
  const digits = text.replace(/\D/g, "").replace(/^0+/, "").slice(0, maxDigits)
  return digits === "" ? null : Number(digits) / 100
}

/** A keystroke changes one character; longer input was pasted or autofilled and is parsed as a whole amount. */
export function isTyping(inputType: string | undefined, data: string | null | undefined): boolean {
  if (inputType === undefined) return false
  if (inputType.startsWith("delete")) return true
  return inputType === "insertText" && (data ?? "").length <= 1
}

export function reaisFromInput(text: string, typing: boolean): number | null {
  return typing ? reaisFromTyping(text) : parseReais(text)
}

interface Props extends Omit<ComponentPropsWithRef<"input">, "value" | "onChange"> {
  value: number | null
  onChange: (reais: number | null) => void
  /** `%` where the number is a percentage: it is typed alike. */
  sign?: string
}

export function MoneyInput({ value, onChange, sign = "R$", className = "", ...rest }: Props) {
  /** A composition stays as the keyboard writes it until it ends. */
  const [composed, setComposed] = useState<string | null>(null)

  function change(event: ChangeEvent<HTMLInputElement>): void {
    const { inputType, data, isComposing } = event.nativeEvent as Partial<InputEvent>
    if (isComposing === true) return setComposed(event.target.value)
    onChange(reaisFromInput(event.target.value, isTyping(inputType, data)))
  }

  return (
    <div className={`relative ${className}`}>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3.5 grid place-items-center text-t3"
      >
        {sign}
      </span>
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        placeholder="0,00"
        value={composed ?? maskedReais(value)}
        onChange={change}
        onCompositionEnd={({ currentTarget }) => {
          setComposed(null)
          onChange(reaisFromInput(currentTarget.value, true))
        }}
        className={`${controlClass} h-11 pr-3.5 pl-11 font-semibold tabular-nums`}
        {...rest}
      />
    </div>
  )
}
