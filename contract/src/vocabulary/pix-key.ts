import { isCpf, phoneDigitsOf, unseenMarks } from "./payer-data.ts"

export const pixKeyKinds = ["cpf", "cnpj", "email", "phone", "evp"] as const
export type PixKeyKind = (typeof pixKeyKinds)[number]

export interface PixKey {
  kind: PixKeyKind
  /** As the Pix directory keeps it: bare digits, lower-case e-mail and random key, upper-case CNPJ, +55 phone. */
  key: string
}

const MAX_LENGTH = 77
const cpfPattern = /^\d{11}$|^\d{3}\.\d{3}\.\d{3}-\d{2}$/
const cnpjPattern = /^[\dA-Z]{12}\d{2}$|^[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2}$/
const phonePattern = /^\+55 ?(?:\(\d{2}\)|\d{2}) ?\d{4,5}-?\d{4}$/
/** Without dots, which would make a mistyped CPF a phone. */
const localPhonePattern = /^(?:\+?55|0)?[ -]?(?:\(0?\d{2}\)|\d{2})[ -]?(?:9[ -]?\d{4}|[2-5]\d{3})[ -]?\d{4}$/
/** The area codes in use. */
const areaCodes = /^(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])/
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
  const upper = text.toUpperCase()
  if (evpPattern.test(lower)) return { kind: "evp", key: lower }
  if (emailPattern.test(lower)) return { kind: "email", key: lower }
  if (phonePattern.test(text)) return { kind: "phone", key: text.replace(/[^\d+]/g, "") }
  if (cpfPattern.test(text) && isCpf(text.replace(/\D/g, ""))) return { kind: "cpf", key: text.replace(/\D/g, "") }
  const phone = parseLocalPhone(text)
  if (phone !== null) return phone
  if (cnpjPattern.test(upper)) return checked("cnpj", upper.replace(/[./-]/g, ""), isCnpj)
  return null
}

/** Eleven bare digits that are a right CPF and could be a mobile phone too: nobody but their owner can tell. */
export function isAmbiguousPixKey(typed: string): boolean {
  return /^\d{11}$/.test(typed.trim()) && isCpf(typed.trim()) && parseLocalPhone(typed.trim()) !== null
}

/** A phone as people write it, with a known area code, `(11) 98765-4321` or `11987654321`. */
function parseLocalPhone(text: string): PixKey | null {
  const typed = text.replace(/\p{Pd}/gu, "-").replace(/\p{Zs}/gu, " ")
  const digits = localPhonePattern.test(typed) ? phoneDigitsOf(typed) : null
  return digits !== null && areaCodes.test(digits) ? { kind: "phone", key: `+55${digits}` } : null
}

/** As people read it: phones and documents with their punctuation. */
export function pixKeyText({ kind, key }: PixKey): string {
  if (kind === "phone") return key.replace(/^\+55(\d{2})(\d{4,5})(\d{4})$/, "($1) $2-$3")
  if (kind === "cpf") return key.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, "$1.$2.$3-$4")
  if (kind === "cnpj") return key.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, "$1.$2.$3/$4-$5")
  return key
}

function checked(kind: PixKeyKind, key: string, isRight: (key: string) => boolean): PixKey | null {
  return isRight(key) ? { kind, key } : null
}

const firstWeights = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
const secondWeights = [6, ...firstWeights]

/** Accepts the alphanumeric CNPJs issued since 2026: a character counts as its code minus 48. */
export function isCnpj(text: string): boolean {
  if (!/^[A-Z\d]{12}\d{2}$/.test(text)) return false
  if (/^(.)\1{13}$/.test(text)) return false
  return [firstWeights, secondWeights].every((weights) => {
    const rest = weights.reduce((sum, weight, i) => sum + weight * (text.charCodeAt(i) - 48), 0) % 11
    return Number(text[weights.length]) === (rest < 2 ? 0 : 11 - rest)
  })
}
