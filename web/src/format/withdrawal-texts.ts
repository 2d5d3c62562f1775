import {
  ambiguousPixKey,
  isAmbiguousPixKey,
  type PixKeyKind,
  parsePixKey,
  pixKeyText,
} from "@tilinta/contract/vocabulary/pix-key"
import {
  accountTypeLabels,
  type HoldReason,
  type WithdrawalMethod,
  waitReasonsText,
} from "@tilinta/contract/vocabulary/withdrawals"
import type { WithdrawalView } from "@tilinta/contract/withdrawals"
import { formatDateTime } from "./dates.ts"

const pixKeyLabels = {
  cpf: "CPF",
  cnpj: "CNPJ",
  email: "E-mail",
  phone: "Telefone",
  evp: "Chave aleatória",
} as const satisfies Record<PixKeyKind, string>

const KEY_LENGTH = 20

export const methodLabels = {
  pix: "PIX",
  bank_transfer: "Transferência bancária",
} as const satisfies Record<WithdrawalMethod, string>

type Destination = Pick<WithdrawalView, "paymentMethod" | "pixKey" | "pixKeyType" | "bankData">

/** The key with its punctuation; empty for a bank account. */
export function shownPixKey({ pixKey, pixKeyType }: Pick<Destination, "pixKey" | "pixKeyType">): string {
  return pixKey === null || pixKeyType === null ? (pixKey ?? "") : pixKeyText({ kind: pixKeyType, key: pixKey })
}

/** A key of the profile, which may be no key: sellers type what they like there. */
export function savedPixKeyText(typed: string): string {
  const key = isAmbiguousPixKey(typed) ? null : parsePixKey(typed)
  return key === null ? typed : pixKeyText(key)
}

/** The destination in a history row: the key is shortened to fit a line. */
export function shortDestination(withdrawal: Destination): string {
  const { paymentMethod, bankData } = withdrawal
  if (paymentMethod === "bank_transfer") return bankData?.bank || "Conta bancária"
  const key = shownPixKey(withdrawal)
  return key.length > KEY_LENGTH ? `${key.slice(0, KEY_LENGTH)}…` : key
}

/** Details that the short form leaves out. */
export function destinationDetail({ pixKeyType, bankData }: Destination): string {
  if (bankData !== null) return `Ag. ${bankData.agency} · Conta ${bankData.account}`
  return pixKeyType === null ? "Chave Pix" : pixKeyLabels[pixKeyType]
}

/** Every detail of the destination, for checking it. */
export function wholeDestination(withdrawal: Destination): { term: string; value: string }[] {
  const { pixKeyType, bankData } = withdrawal
  if (bankData === null) {
    const kind = pixKeyType === null ? [] : [{ term: "Tipo da chave", value: pixKeyLabels[pixKeyType] }]
    return [{ term: "Chave Pix", value: shownPixKey(withdrawal) }, ...kind]
  }
  return [
    { term: "Banco", value: bankData.bank },
    { term: "Agência", value: bankData.agency },
    { term: accountTypeLabels[bankData.accountType], value: bankData.account },
  ]
}

interface Held {
  status: string
  heldUntil: string | null
  holdReasons: readonly HoldReason[]
}

export function isWaiting({ status, heldUntil }: Held, now: Date): boolean {
  return (status === "pending" || status === "pendente") && heldUntil !== null && new Date(heldUntil) > now
}

/** 'Espera até 24/11 06:20', for a row; empty when the withdrawal waits for nothing, or is decided. */
export function holdNote(withdrawal: Held, now: Date): string {
  if (!isWaiting(withdrawal, now)) return ""
  return `Espera até ${formatDateTime(withdrawal.heldUntil).replace(/\/\d{4}/, "")}`
}

/** The same as a sentence, with the reasons. */
export function holdSentence(withdrawal: Held, now: Date): string {
  if (!isWaiting(withdrawal, now)) return ""
  return `Em espera até ${formatDateTime(withdrawal.heldUntil)}, por segurança: ${waitReasonsText(withdrawal.holdReasons)}.`
}

/** 'Os últimos saques levaram de 10 min a 3 h.' */
export function paidWithinSentence({ fromMinutes, toMinutes }: { fromMinutes: number; toMinutes: number }): string {
  const [from, to] = [fromMinutes, toMinutes].map(durationText)
  return from === to ? `Os últimos saques levaram cerca de ${to}.` : `Os últimos saques levaram de ${from} a ${to}.`
}

/** Rounded up, as nobody minds an earlier payment. */
function durationText(minutes: number): string {
  const rounded = minutes < 10 ? Math.max(1, minutes) : Math.ceil(minutes / 5) * 5
  if (rounded < 60) return `${rounded} min`
  const hours = Math.ceil(minutes / 60)
  if (hours <= 24) return `${hours} h`
  return `${Math.ceil(hours / 24)} dias`
}

const marks = /[\u0300-\u036f]/g

function plain(text: string): string {
  return text.normalize("NFD").replace(marks, "").toLowerCase()
}

/** Ignores accents and case. */
export function holdsText(text: string, typed: string): boolean {
  return plain(text).includes(plain(typed.trim()))
}

export const unknownPixKey = "Chave Pix inválida. Use CPF, CNPJ, e-mail, celular com DDD ou chave aleatória."
export const pixKeyExamples = "CPF, CNPJ, e-mail, telefone com DDD ou chave aleatória"

/** The Pix key being typed, as it is read; undefined while the field is empty. */
export function pixKeyHint(typed: string): string | undefined {
  if (typed.trim() === "") return undefined
  if (isAmbiguousPixKey(typed)) return ambiguousPixKey
  const key = parsePixKey(typed)
  if (key === null) return unknownPixKey
  const kind = `Tipo da chave: ${pixKeyLabels[key.kind]}`
  const text = pixKeyText(key)
  return text === typed.trim() ? kind : `${kind} · ${text}`
}
