import { type HoldReason, waitReasonsText } from "@tilinta/contract/vocabulary/withdrawal-holds"
import { formatDateTime } from "./date.ts"

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
