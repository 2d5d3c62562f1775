import { fieldsOf, type SentField } from "@tilinta/contract/vocabulary/payer-data"
import type { InputEvent } from "react"
import { caretAfterDigits, maskCnpj, maskCpf, maskPhone } from "#format/masks.ts"
import { formatReais, maskAmount } from "#format/money-text.ts"
import type { CheckoutHandlers } from "./checkout-loop.ts"
import type { CheckoutState, FormField } from "./checkout-state.ts"
import { Icon } from "./page-frame.tsx"
import { isFixed, type PayablePage } from "./payable-page.ts"

type Mask = (text: string) => string

interface FieldTraits {
  label: string
  inputMode?: "decimal" | "email" | "numeric" | "tel"
  autoComplete: string
  autoCapitalize?: "characters"
  mask?: Mask
  /** The document to give instead, and who buys with it. */
  other?: readonly ["cpf" | "cnpj", string]
}

const TEXT_MAX_LENGTH = 200

const amountTraits: FieldTraits = {
  label: "Valor em R$",
  inputMode: "decimal",
  autoComplete: "off",
  mask: maskAmount,
}

const traits: Record<SentField, FieldTraits> = {
  name: { label: "Nome completo", autoComplete: "name" },
  email: { label: "E-mail", inputMode: "email", autoComplete: "email" },
  cpf: {
    label: "CPF",
    inputMode: "numeric",
    autoComplete: "off",
    mask: maskCpf,
    other: ["cnpj", "empresa (CNPJ)"],
  },
  cnpj: {
    label: "CNPJ",
    autoCapitalize: "characters",
    autoComplete: "off",
    mask: maskCnpj,
    other: ["cpf", "pessoa (CPF)"],
  },
  phone: {
    label: "Telefone",
    inputMode: "tel",
    autoComplete: "tel-national",
    mask: maskPhone,
  },
}

interface Props {
  field: FormField
  value: string
  error: string | undefined
  on: CheckoutHandlers
}

function PayerFieldInput({ field, value, error, on }: Props) {
  const { label, mask, other, ...attributes } =
    !isFixed && field === "amount" ? amountTraits : traits[field as SentField]
  const errorId = `${field}-erro`
  return (
    <div>
      <label htmlFor={field}>{label}</label>
      <input
        maxLength={TEXT_MAX_LENGTH}
        {...attributes}
        id={field}
        name={field}
        required
        value={value}
        autoFocus={!!error}
        aria-invalid={!!error || undefined}
        aria-describedby={error && errorId}
        onInput={(event) => on.type(field, mask ? maskInPlace(event, mask) : event.currentTarget.value)}
      />
      {error && (
        <p className="er" id={errorId}>
          <Icon name="alert" />
          {error}
        </p>
      )}
      {/* Without script the server answers with the other field. */}
      {other && (
        <a className="ds" href={`?${other[0]}=`} onClick={(event) => on.swapDocument(event, other[0])}>
          {`Comprar como ${other[1]}`}
        </a>
      )}
    </div>
  )
}

/**
 * Writes into the field at once: left to the next drawing, the caret would jump to the end. While a keyboard composes,
 * the text is its own: rewritten then, digits double. Preact hands over the browser's own event.
 */
function maskInPlace(event: InputEvent<HTMLInputElement>, mask: Mask): string {
  const input = event.currentTarget
  const { value, selectionStart } = input
  if ((event as unknown as globalThis.InputEvent).isComposing) return value
  const masked = mask(value)
  if (masked !== value && selectionStart !== value.length) {
    const caret = caretAfterDigits(masked, mask(value.slice(0, selectionStart ?? 0)).replace(/\W/g, "").length)
    input.value = masked
    input.setSelectionRange(caret, caret)
  }
  return masked
}

export const formId = "pagar"

interface ChoiceProps {
  choice: NonNullable<PayablePage["choice"]>
  state: CheckoutState
  on: CheckoutHandlers
}

interface PaymentFormProps {
  page: PayablePage
  state: CheckoutState
  on: CheckoutHandlers
}

/** One tap for what most pay. Without script the server answers with the amount filled in. */
function AmountChoice({ choice: { hint, suggestions }, state: { values, problem }, on }: ChoiceProps) {
  return (
    <div className="val">
      <PayerFieldInput
        field="amount"
        value={values.amount ?? ""}
        error={problem?.field === "amount" ? problem.message : undefined}
        on={on}
      />
      <p className="ds">{hint}</p>
      {suggestions.map((reais) => {
        const text = formatReais(reais).slice(3)
        return (
          <a
            key={text}
            href={`?amount=${text}`}
            onClick={(event) => {
              event.preventDefault()
              on.type("amount", text)
            }}
          >
            {formatReais(reais)}
          </a>
        )
      })}
    </div>
  )
}

export function PaymentForm({ page: { choice, isAnonymous, isNew, required }, state, on }: PaymentFormProps) {
  const { problem, isBusy, spoken, failure, displayed, values } = state
  const action = isAnonymous ? "Gerar PIX Instantâneo" : "Pagar com PIX"
  return (
    <form className="pay" id={formId} method="post" noValidate>
      <h2>{isAnonymous ? "Pague com Pix" : "Seus dados"}</h2>
      {!isFixed && choice && <AmountChoice choice={choice} state={state} on={on} />}
      {isAnonymous && <p className="ds">O QR Code aparece aqui na hora.</p>}
      {displayed.length > required.length && (
        <p className="ds">Para gerar o Pix, informe também os dados que faltam.</p>
      )}
      {fieldsOf(values, displayed).map((field) => (
        <PayerFieldInput
          key={field}
          field={field}
          value={values[field] ?? ""}
          error={problem?.field === field ? problem.message : undefined}
          on={on}
        />
      ))}
      {!isAnonymous && <p className="ds">Seus dados vão para quem cobra.</p>}
      <div className="cta">
        {failure && (
          <p className="er" role="alert">
            <Icon name="alert" />
            {failure}
          </p>
        )}
        <button
          className="btn pri"
          type="submit"
          aria-disabled={isBusy || undefined}
          data-focus={isAnonymous || undefined}
        >
          {isBusy ? spoken || "Processando..." : action}
        </button>
        {isNew || <p className="tr">Pagamento 100% Seguro</p>}
      </div>
    </form>
  )
}
