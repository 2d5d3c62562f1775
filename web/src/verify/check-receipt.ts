import {
  type CheckedReceipt,
  checkReceipt,
  type PublicJwk,
  payerDocumentOf,
} from "@tilinta/contract/proofs/receipt-text"
import type { ReceiptVerdictView } from "@tilinta/contract/receipts"
import { refundedVerdict, type Verdict, verdicts } from "./verify-texts.ts"

export interface ShownFacts {
  amount: number
  receiver: string
  receiverDocument: string | null
  paidAt: string
  endToEndId: string
  payerCpf: string | null
  payerCnpj: string | null
  refundedAmount: number
}

export interface Outcome {
  told: Verdict
  /** Null for what proves nothing. */
  facts: ShownFacts | null
}

const answerMs = 8_000

/** Asks the server, and checks the signature here, which is all that can be known without a network. */
export async function check(receipt: string): Promise<Outcome> {
  const [answer, own] = await Promise.all([askServer(receipt), checkHere(receipt)])
  if (answer !== null) return answered(answer)
  if (own === null) return { told: verdicts.unreachable, facts: null }
  switch (own.verdict) {
    case "forged":
      return { told: verdicts.forged, facts: null }
    case "unknown_key":
      return { told: verdicts.unknownOffline, facts: null }
    case "genuine":
      return { told: verdicts.signedOffline, facts: factsOf(own) }
  }
}

function answered({
  verdict,
  amount,
  receiver,
  receiverDocument,
  paidAt,
  endToEndId,
  payerCpf,
  payerCnpj,
  refundedAmount,
}: ReceiptVerdictView): Outcome {
  if (verdict === "forged" || amount === null || receiver === null || paidAt === null || endToEndId === null) {
    return { told: verdicts.forged, facts: null }
  }
  const shown = verdict === "valid" ? verdicts.valid : refundedVerdict(amount, refundedAmount)
  const payer = { payerCpf, payerCnpj }
  return { told: shown, facts: { amount, receiver, receiverDocument, paidAt, endToEndId, ...payer, refundedAmount } }
}

function factsOf({ facts }: Extract<CheckedReceipt, { verdict: "genuine" }>): ShownFacts {
  const { amountCents, receiver, receiverDocument, paidAt, endToEndId, payerDigits } = facts
  return {
    amount: amountCents / 100,
    receiver,
    receiverDocument,
    paidAt: paidAt.toISOString(),
    endToEndId,
    ...payerDocumentOf(payerDigits),
    refundedAmount: 0,
  }
}

/** Null when it can't be reached or has too much to do. */
async function askServer(receipt: string): Promise<ReceiptVerdictView | null> {
  try {
    const reply = await fetch("/api/v1/receipts/verify", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ receipt }),
      signal: AbortSignal.timeout(answerMs),
    })
    return reply.ok ? ((await reply.json()) as { data: ReceiptVerdictView }).data : null
  } catch {
    return null
  }
}

/** Null in a browser that can't check signatures, or before it has ever had the keys. */
async function checkHere(receipt: string): Promise<CheckedReceipt | null> {
  try {
    const reply = await fetch("/.well-known/tilinta/receipts.json", { signal: AbortSignal.timeout(answerMs) })
    if (!reply.ok) return null
    const { keys } = (await reply.json()) as { keys: PublicJwk[] }
    return await checkReceipt(receipt, keys)
  } catch {
    return null
  }
}
