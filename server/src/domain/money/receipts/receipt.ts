import type { ReceiptFacts } from "@tilinta/contract/proofs/receipt-text"
import { maskedCpfOf } from "@tilinta/contract/proofs/receipt-words"
import type { Cents } from "@tilinta/contract/vocabulary/money"

/** A receipt as people and programs read it. */
export interface ReceiptContent {
  amountCents: Cents
  receiver: string
  paidAt: Date
  endToEndId: string
  /** Masked; null where it was left out. */
  payerCpf: string | null
}

export function contentOf({ amountCents, cpfDigits, ...facts }: ReceiptFacts): ReceiptContent {
  return { ...facts, amountCents: amountCents as Cents, payerCpf: cpfDigits === null ? null : maskedCpfOf(cpfDigits) }
}

/** In the fragment, which no server is sent: the page reads it there. */
export function verifyUrlOf(payersUrl: string, receipt: string): string {
  return `${payersUrl}/verificar#${receipt}`
}
