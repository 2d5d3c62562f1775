import { type ReceiptFacts, signedReceipt, unsignedReceipt } from "@tilinta/contract/proofs/receipt-text"
import { cpfMiddle } from "@tilinta/contract/proofs/receipt-words"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { getUser } from "#domain/people/users/get-user"
import type { SigningKeys } from "#domain/platform/signing-keys/open-signing-keys"
import { findCharge } from "#domain/selling/charges/get-charge"
import { DomainError } from "#kit/domain-error"
import { invariant } from "#kit/invariant"
import { contentOf, type ReceiptContent } from "./receipt.ts"

export interface Receipt extends ReceiptContent {
  /** The signed text. */
  text: string
  title: string
  /** Returned to the payer since. It is no part of what was signed. */
  refundedCents: Cents
  /** Whether the payer's CPF is known, and so may be in it. */
  hasCpf: boolean
}

interface Deps {
  db: Db
  signingKeys: SigningKeys
}

interface Asked {
  chargeId: string
  /** The caller has proven to be the payer, who wants it in. */
  withCpf: boolean
}

/**
 * Signed anew each time: the same facts give the same text until the key is rotated. None of it is stored, so that an
 * erased payer is in no receipt made later. @throws payment_not_found, receipt_not_ready
 */
export async function getReceipt({ db, signingKeys }: Deps, { chargeId, withCpf }: Asked): Promise<Receipt> {
  const charge = await findCharge(db, chargeId)
  if (charge === null) throw new DomainError("payment_not_found")
  const { amountCents, paidAt, endToEndId, refundedCents } = charge
  if (paidAt === null || endToEndId === null) throw new DomainError("receipt_not_ready")
  const { name } = await getUser(db, charge.sellerId)
  const known = cpfMiddle(charge.payer.cpf)
  const facts = { amountCents, receiver: name, paidAt, endToEndId, cpfDigits: withCpf ? known : null }
  return {
    ...contentOf(facts),
    ...{ text: await signReceipt(signingKeys, facts), title: charge.pageTitle, refundedCents },
    hasCpf: known !== null,
  }
}

/** The text names the key that signs it, which a rotation may replace between the two calls. */
async function signReceipt(signingKeys: SigningKeys, facts: ReceiptFacts): Promise<string> {
  for (let tries = 0; tries < 3; tries += 1) {
    const inUse = (await signingKeys.listPublicKeys("receipt")).find(({ retiredAt }) => retiredAt === null)
    invariant(inUse !== undefined, "no key signs receipts")
    const unsigned = unsignedReceipt(inUse.id, facts)
    const { keyId, signature } = await signingKeys.sign("receipt", Buffer.from(unsigned))
    if (keyId === inUse.id) return signedReceipt(unsigned, signature)
  }
  throw new DomainError("overloaded")
}
