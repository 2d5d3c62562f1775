import { type ChangeEvent, type ComponentPropsWithRef, useState } from "react"
import { parseReais } from "#format/money-text.ts"
import { Button } from "./button.tsx"
import { controlClass, Field, TextInput } from "./field.tsx"

/** The text of a form's field; empty when there is none. */
export function typedText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === "string" ? value : ""
}

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

interface CodeInputProps extends Omit<ComponentPropsWithRef<"input">, "children"> {
  error?: string | undefined
  /** False where the account has no authenticator app. */
  takesApp?: boolean
  /** False where no recovery code is left, or none would do. */
  takesRecovery?: boolean
}

/** The code of the authenticator app, with digits on a phone's keyboard, or a recovery code, which has letters. */
export function CodeInput({ error, takesApp = true, takesRecovery = true, ...rest }: CodeInputProps) {
  const [prefersRecovery, setPrefersRecovery] = useState(false)
  const isRecovery = prefersRecovery || !takesApp
  const input = isRecovery
    ? ({ autoComplete: "off", autoCapitalize: "characters", maxLength: 40 } as const)
    : ({ autoComplete: "one-time-code", inputMode: "numeric", maxLength: 8 } as const)
  return (
    <div className="grid justify-items-start gap-1">
      <Field
        className="w-full"
        label={isRecovery ? "Código de recuperação" : "Código de 6 dígitos"}
        hint={
          isRecovery ? "Um dos códigos que você guardou; cada um vale uma vez." : "Está no seu aplicativo autenticador."
        }
        error={error}
      >
        {(control) => (
          <TextInput
            key={String(isRecovery)}
            spellCheck={false}
            aria-required
            {...input}
            {...control}
            {...rest}
            className="font-mono tracking-widest"
          />
        )}
      </Field>
      {takesApp && takesRecovery && (
        <Button look="ghost" className="-ml-3 px-3 text-label" onClick={() => setPrefersRecovery(!prefersRecovery)}>
          {isRecovery ? "Usar o aplicativo autenticador" : "Usar um código de recuperação"}
        </Button>
      )}
    </div>
  )
}
