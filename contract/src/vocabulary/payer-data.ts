/** Kept free of the schema library, so that the payer's small page can carry the server's own rules. */
export const payerFields = ["name", "email", "cpf", "phone"] as const
export type PayerField = (typeof payerFields)[number]
/** A company gives its CNPJ in the place of a CPF. */
export const sentFields = [...payerFields, "cnpj"] as const
export type SentField = (typeof sentFields)[number]
export type PayerData = Partial<Record<SentField, string | null | undefined>>

export const payerFieldLabels = {
  name: "Nome",
  email: "E-mail",
  cpf: "CPF",
  cnpj: "CNPJ",
  phone: "Telefone",
} as const satisfies Record<SentField, string>

/** Stands where a payer's data were. */
export const erasedDataLabel = "Dados apagados"

/** The flag by which a page requires each field. */
const payerFlags = {
  name: "requireName",
  email: "requireEmail",
  cpf: "requireCpf",
  phone: "requirePhone",
} as const satisfies Record<PayerField, string>
export type PayerFlag = (typeof payerFlags)[PayerField]
export type PayerFlags = Record<PayerFlag, boolean>

/** All flags, each with its value. */
export function forEachFlag<Value>(valueOf: (flag: PayerFlag) => Value): Record<PayerFlag, Value> {
  const flags = payerFields.map((field) => payerFlags[field])
  return Object.fromEntries(flags.map((flag) => [flag, valueOf(flag)])) as Record<PayerFlag, Value>
}

export const noPayerFlags = /* @__PURE__ */ forEachFlag(() => false)

export interface PayerDataProblem {
  field: SentField
  message: string
}

const missingTexts: Record<SentField, string> = {
  name: "Nome é obrigatório",
  email: "E-mail é obrigatório",
  cpf: "CPF é obrigatório",
  cnpj: "CNPJ é obrigatório",
  phone: "Telefone é obrigatório",
}

/** The fields that a page requires, in the specification's order. */
export function requiredFields(flags: PayerFlags): PayerField[] {
  return payerFields.filter((field) => flags[payerFlags[field]])
}

/** The fields that this payer fills in: of a company, whose CNPJ may still be empty, no CPF. */
export function fieldsOf({ cpf, cnpj }: PayerData, fields: readonly SentField[]): readonly SentField[] {
  return cpf || typeof cnpj !== "string" ? fields : fields.map((field) => (field === "cpf" ? "cnpj" : field))
}

/**
 * The first broken rule in the specification's order. The form requires all four fields, the server those that the page
 * requires; it also reads e-mail, CNPJ and phone, and the form shows its answer.
 */
export function payerDataProblem(info: PayerData, required: readonly SentField[]): PayerDataProblem | null {
  const missing = required.find((field) => !info[field]?.trim())
  if (missing) return { field: missing, message: missingTexts[missing] }
  if (info.cpf?.trim() && !isCpf(digitsOf(info.cpf))) return { field: "cpf", message: "CPF inválido" }
  return null
}

export function digitsOf(value: string | null | undefined): string {
  return (value ?? "").normalize("NFKC").replace(/\D/g, "")
}

/** The standard Brazilian rule: eleven digits, not all the same, both check digits right. */
export function isCpf(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || /^(\d)\1{10}$/.test(digits)) return false
  return [9, 10].every((length) => {
    let sum = 0
    for (let i = 0; i < length; i++) sum += Number(digits[i]) * (length + 1 - i)
    return ((sum * 10) % 11) % 10 === Number(digits[length])
  })
}

/** Marks, fillers and blanks alone show nothing. */
const visible = /[^\s\u115f\u1160\u2800\u3164\uffa0\p{C}\p{M}]/u

/** False for text that looks empty, whatever it is made of. */
export function hasVisible(text: string): boolean {
  return visible.test(text)
}

/** Control, bidi and zero-width characters: nobody sees them, and they reorder or hide what stands around them. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** True when every character is shown as it was typed, on one line. */
export function isReadableLine(text: string): boolean {
  return !unseen.test(withPlainEmoji(text))
}

/** Also takes line breaks and tabs. */
export function isReadableText(text: string): boolean {
  return isReadableLine(text.replace(/[\r\n\t]/g, " "))
}

/** A composed emoji is one character for its reader: drops the joiners that hold it together. */
function withPlainEmoji(text: string): string {
  return text
    .replace(/(\p{Emoji})[\ufe0e\ufe0f]/gu, "$1")
    .replace(/(\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})/gu, "$1")
    .replace(/(\u{1f3f4})[\u{e0020}-\u{e007e}]+\u{e007f}/gu, "$1")
}
