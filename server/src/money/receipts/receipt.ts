import {
  checkReceipt,
  type PublicJwk,
  payerDigitsOf,
  payerDocumentOf,
  type ReceiptFacts,
  signedReceipt,
  unsignedReceipt,
} from "@tilinta/contract/proofs/receipt-text"
import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { createRecentMap } from "#kit/caches"
import { type Clock, saoPauloDay } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import type { SigningKeys } from "#money/chain/keys"
import { listReturned } from "#money/refunds/reported"
import { readReceiver } from "#people/shops/reads"
import { findCharge } from "#selling/charges/find"
import { addVerification, findReceiptedPayment } from "./table.ts"

export interface Receipt extends ReceiptContent {
  transactionId: string
  /** The signed text. */
  text: string
  title: string
  /** Returned to the payer since. It is no part of what was signed. */
  refundedCents: Cents
  refunds: Awaited<ReturnType<typeof listReturned>>
  /** The document of the payer's that is known, and so may be in it. */
  document: "CPF" | "CNPJ" | null
}

interface Deps {
  db: Db
  clock: Clock
  signingKeys: SigningKeys
}

interface ReceiptQuery {
  chargeId: string
  /** The caller has proven to be the payer, who wants it in. */
  withCpf: boolean
}

/**
 * Signed anew each time: the same facts give the same text until the key is rotated. None of it is stored, so that an
 * erased payer is in no receipt made later. @throws payment_not_found, receipt_not_ready
 */
export async function getReceipt(
  { db, signingKeys }: Omit<Deps, "clock">,
  { chargeId, withCpf }: ReceiptQuery,
): Promise<Receipt> {
  const charge = await findCharge(db, chargeId)
  if (charge === null) throw new DomainError("payment_not_found")
  const { amountCents, paidAt, endToEndId, refundedCents } = charge
  if (paidAt === null || endToEndId === null) throw new DomainError("receipt_not_ready")
  const { name, document } = await readReceiver(db, { sellerId: charge.sellerId, paidAt })
  const known = payerDigitsOf(charge.payer)
  const facts = {
    amountCents,
    receiver: name,
    receiverDocument: document === "" ? null : document,
    paidAt,
    endToEndId,
    payerDigits: withCpf ? known : null,
  }
  return {
    ...contentOf(facts),
    transactionId: charge.id,
    text: await signReceipt(signingKeys, facts),
    title: charge.pageTitle,
    refundedCents,
    refunds: await listReturned(db, charge.id),
    document: known === null ? null : charge.payer.cnpj === null ? "CPF" : "CNPJ",
  }
}

/** The text names the key that signs it, which a rotation may replace between the two calls. */
export async function signReceipt(signingKeys: SigningKeys, facts: ReceiptFacts): Promise<string> {
  for (let tries = 0; tries < 3; tries += 1) {
    const inUse = (await signingKeys.listPublicKeys("receipt")).find(({ retiredAt }) => retiredAt === null)
    invariant(inUse !== undefined, "no key signs receipts")
    const unsigned = unsignedReceipt(inUse.id, facts)
    const { keyId, signature } = await signingKeys.sign("receipt", Buffer.from(unsigned))
    if (keyId === inUse.id) return signedReceipt(unsigned, signature)
  }
  throw new DomainError("overloaded")
}

type Verification =
  | { verdict: "forged"; content: null; refundedCents: Cents }
  | { verdict: "valid" | "refunded"; content: ReceiptContent; refundedCents: Cents }

/** Checks one receipt's text for a caller, whose network is null where many stand behind one address. */
type VerifyReceipt = (text: string, network: string | null) => Promise<Verification>

const rememberedCallers = 20_000

/**
 * Says whether we signed the text, and what became of the money. Each network counts once a day and receipt, so that a
 * reload or a script doesn't inflate what the seller reads.
 */
export function receiptVerifier({ db, clock, signingKeys }: Deps): VerifyReceipt {
  const counted = createRecentMap<string, true>(rememberedCallers)

  function isRepeated(endToEndId: string, network: string | null): boolean {
    if (network === null) return false
    const key = `${saoPauloDay(clock.now())} ${endToEndId} ${network}`
    const isKnown = counted.get(key) === true
    counted.set(key, true)
    return isKnown
  }

  return async (text, network) => {
    const checked = await checkReceipt(text, await listReceiptKeys(signingKeys))
    if (checked.verdict !== "genuine") return { verdict: "forged", content: null, refundedCents: noMoney }
    const content = contentOf(checked.facts)
    // A database that was restored from an older backup doesn't know the payment; the signature proves it all the same.
    const payment = await findReceiptedPayment(db, content.endToEndId)
    const chargeId = payment?.chargeId ?? null
    if (chargeId !== null && !isRepeated(content.endToEndId, network)) {
      await db.transaction().execute((tx: Tx) => addVerification(tx, chargeId, clock.now()))
    }
    const refundedCents = payment?.refundedCents ?? noMoney
    return { verdict: refundedCents > 0 ? "refunded" : "valid", content, refundedCents }
  }
}

/** As they are published: the one that signs first, and the retired ones. */
export async function listReceiptKeys(signingKeys: SigningKeys): Promise<(PublicJwk & { kid: string })[]> {
  const keys = await signingKeys.listPublicKeys("receipt")
  return keys
    .toSorted((a, b) => Number(a.retiredAt !== null) - Number(b.retiredAt !== null))
    .map(({ id, publicKey }) => ({ kty: "OKP", crv: "Ed25519", kid: id, x: publicKey.toString("base64url") }))
}

/** A receipt as people and programs read it. */
export interface ReceiptContent {
  amountCents: Cents
  receiver: string
  /** The shop's; null without one. */
  receiverDocument: string | null
  paidAt: Date
  endToEndId: string
  /** Masked; null where it was left out. */
  payerCpf: string | null
  payerCnpj: string | null
}

function contentOf({ amountCents, payerDigits, ...facts }: ReceiptFacts): ReceiptContent {
  return { ...facts, amountCents: amountCents as Cents, ...payerDocumentOf(payerDigits) }
}

/** In the fragment, which no server is sent: the page reads it there. */
export function verifyUrlOf(payersUrl: string, receipt: string): string {
  return `${payersUrl}/verificar#${receipt}`
}
