import { isCpf } from "./payer-data.ts"

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
const evpPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const emailPattern =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/

/** Null for text that has the shape of no Pix key. Only the directory knows whether the key is registered. */
export function parsePixKey(typed: string): PixKey | null {
  const text = typed.trim()
  if (text.length > MAX_LENGTH) return null
  const lower = text.toLowerCase()
  const upper = text.toUpperCase()
  if (evpPattern.test(lower)) return { kind: "evp", key: lower }
  if (emailPattern.test(lower)) return { kind: "email", key: lower }
  if (phonePattern.test(text)) return { kind: "phone", key: text.replace(/[^\d+]/g, "") }
  if (cpfPattern.test(text)) return checked("cpf", text.replace(/\D/g, ""), isCpf)
  if (cnpjPattern.test(upper)) return checked("cnpj", upper.replace(/[./-]/g, ""), isCnpj)
  return null
}

function checked(kind: PixKeyKind, key: string, isRight: (key: string) => boolean): PixKey | null {
  return isRight(key) ? { kind, key } : null
}

const firstWeights = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
const secondWeights = [6, ...firstWeights]

/** Accepts the alphanumeric CNPJs issued since 2026: a character counts as its code minus 48. */
function isCnpj(text: string): boolean {
  if (/^(.)\1{13}$/.test(text)) return false
  return [firstWeights, secondWeights].every((weights) => {
    const rest = weights.reduce((sum, weight, i) => sum + weight * (text.charCodeAt(i) - 48), 0) % 11
    return Number(text[weights.length]) === (rest < 2 ? 0 : 11 - rest)
  })
}
