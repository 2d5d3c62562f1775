/** @jsxImportSource preact */
import type { PayerField } from "@tilinta/contract/vocabulary/payer-data"
import { CPF_MAX_LENGTH, maskCpf } from "#format/cpf.ts"
import { caretAfterDigits } from "#format/digits.ts"
import { maskPhone, PHONE_MAX_LENGTH } from "#format/phone.ts"
import { Icon } from "./icons.tsx"

type Mask = (text: string) => string

interface FieldTraits {
  label: string
  inputMode?: "email" | "numeric" | "tel"
  autocomplete: string
  maxLength: number
  mask?: Mask
}

const TEXT_MAX_LENGTH = 200

const traits: Record<PayerField, FieldTraits> = {
  name: { label: "Nome completo", autocomplete: "name", maxLength: TEXT_MAX_LENGTH },
  email: { label: "E-mail", inputMode: "email", autocomplete: "email", maxLength: TEXT_MAX_LENGTH },
  cpf: { label: "CPF", inputMode: "numeric", autocomplete: "off", maxLength: CPF_MAX_LENGTH, mask: maskCpf },
  phone: {
    label: "Telefone",
    inputMode: "tel",
    autocomplete: "tel-national",
    maxLength: PHONE_MAX_LENGTH,
    mask: maskPhone,
  },
}

interface Props {
  field: PayerField
  value: string
  error: string | undefined
  onType: (field: PayerField, value: string) => void
}

export function PayerFieldInput({ field, value, error, onType }: Props) {
  const { label, mask, ...attributes } = traits[field]
  const errorId = `${field}-erro`
  return (
    <div class="fd">
      <label for={field}>{label}</label>
      <input
        {...attributes}
        id={field}
        name={field}
        required
        value={value}
        autofocus={!!error}
        aria-invalid={error ? true : undefined}
        aria-describedby={error && errorId}
        onInput={({ currentTarget }) => onType(field, mask ? maskInPlace(currentTarget, mask) : currentTarget.value)}
        onPaste={mask && ((event) => onType(field, pasteMasked(event, mask)))}
      />
      {error && (
        <p class="er" id={errorId}>
          <Icon name="alert" />
          {error}
        </p>
      )}
    </div>
  )
}

/** Written into the field at once: left to the next drawing, the caret would jump to the end. */
function maskInPlace(input: HTMLInputElement, mask: Mask): string {
  const { value, selectionStart } = input
  const masked = mask(value)
  if (masked !== value && selectionStart !== value.length) {
    const caret = caretAfterDigits(masked, value.slice(0, selectionStart ?? 0).replace(/\D/g, "").length)
    input.value = masked
    input.setSelectionRange(caret, caret)
  }
  return masked
}

/** The browser would cut '+55 11 98765-4321' at the field's length before anyone could take the prefix off. */
function pasteMasked(event: ClipboardEvent, mask: Mask): string {
  event.preventDefault()
  return mask(event.clipboardData?.getData("text") ?? "")
}
