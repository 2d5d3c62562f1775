import { digitsOf, isCpf } from "./payer-data.ts"
import { documentText, parseCnpj, parsePhone, unseenMarks } from "./typed-data.ts"

export const pixKeyKinds = ["cpf", "cnpj", "email", "phone", "evp"] as const
export type PixKeyKind = (typeof pixKeyKinds)[number]

export interface PixKey {
  kind: PixKeyKind
  /** As the Pix directory keeps it: bare digits, lower-case e-mail and random key, upper-case CNPJ, +55 phone. */
  key: string
}

const MAX_LENGTH = 77
const cpfPattern = /^\d{11}$|^\d{3}\.\d{3}\.\d{3}-\d{2}$/
const cnpjPattern = /^[\da-z]{12}\d{2}$|^[\da-z]{2}\.[\da-z]{3}\.[\da-z]{3}\/[\da-z]{4}-\d{2}$/i
const phonePattern = /^\+55 ?(?:\(\d{2}\)|\d{2}) ?\d{4,5}-?\d{4}$/
/** Without dots, which would make a mistyped CPF a phone. */
const localPhonePattern = /^(?:\+?55|0)?[ -]?(?:\(0?\d{2}\)|\d{2})[ -]?(?:9[ -]?\d{4}|[2-5]\d{3})[ -]?\d{4}$/
const evpPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const emailPattern =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/

export const ambiguousPixKey =
  "Esta chave pode ser CPF ou telefone. Escreva o CPF com pontos (000.000.000-00) ou o telefone com +55."

/** Null for text that has the shape of no Pix key. Only the directory knows whether the key is registered. */
export function parsePixKey(typed: string): PixKey | null {
  const text = typed.replace(unseenMarks, "").trim()
  if (text.length > MAX_LENGTH) return null
  const lower = text.toLowerCase()
  if (evpPattern.test(lower)) return { kind: "evp", key: lower }
  if (emailPattern.test(lower)) return { kind: "email", key: lower }
  if (phonePattern.test(text) && parsePhone(text) !== null) return { kind: "phone", key: text.replace(/[^\d+]/g, "") }
  if (cpfPattern.test(text) && isCpf(digitsOf(text))) return { kind: "cpf", key: digitsOf(text) }
  const phone = parseLocalPhone(text)
  if (phone !== null) return phone
  const cnpj = cnpjPattern.test(text) ? parseCnpj(text) : null
  return cnpj === null ? null : { kind: "cnpj", key: cnpj }
}

/** Eleven bare digits that are a right CPF and could be a mobile phone too: nobody but their owner can tell. */
export function isAmbiguousPixKey(typed: string): boolean {
  return /^\d{11}$/.test(typed.trim()) && isCpf(typed.trim()) && parseLocalPhone(typed.trim()) !== null
}

/** Whether two texts name one key, however each writes it: with punctuation, a phone without +55, a document as a number. */
export function isSamePixKey(one: string, other: string): boolean {
  const phone = phoneKeyOf(one)
  return bareKeyOf(one) === bareKeyOf(other) || (phone !== null && phone === phoneKeyOf(other))
}

function bareKeyOf(text: string): string {
  const lower = text.replace(unseenMarks, "").trim().toLowerCase()
  return lower.includes("@") ? lower : lower.replace(/[\s()./-]/g, "").replace(/^0+(?!$)(?=\d)/, "")
}

function phoneKeyOf(text: string): string | null {
  const parsed = parsePixKey(text)
  return parsed?.kind === "phone" ? parsed.key : (parseLocalPhone(text.trim())?.key ?? null)
}

/** A phone as people write it, with a known area code, `(11) 98765-4321` or `11987654321`. */
function parseLocalPhone(text: string): PixKey | null {
  const typed = text.replace(/\p{Pd}/gu, "-").replace(/\p{Zs}/gu, " ")
  const digits = localPhonePattern.test(typed) ? parsePhone(typed) : null
  return digits === null ? null : { kind: "phone", key: `+55${digits}` }
}

/** As people read it: phones and documents with their punctuation. */
export function pixKeyText({ kind, key }: PixKey): string {
  if (kind === "phone") return key.replace(/^\+55(\d{2})(\d{4,5})(\d{4})$/, "($1) $2-$3")
  return kind === "cpf" || kind === "cnpj" ? documentText(key) : key
}
