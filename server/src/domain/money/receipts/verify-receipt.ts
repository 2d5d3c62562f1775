import { checkReceipt, type PublicJwk } from "@tilinta/contract/proofs/receipt-text"
import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import type { SigningKeys } from "#domain/platform/signing-keys/open-signing-keys"
import type { Clock } from "#kit/clock"
import { createRecentMap } from "#kit/recent-map"
import { saoPauloDay } from "#kit/sao-paulo-day"
import { contentOf, type ReceiptContent } from "./receipt.ts"
import { addVerification, findReceiptedPayment } from "./receipts-repository.ts"

interface Deps {
  db: Db
  clock: Clock
  signingKeys: SigningKeys
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
