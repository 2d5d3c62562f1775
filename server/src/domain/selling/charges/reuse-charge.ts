import type { Db, Tx } from "#db/transaction"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import { secondsAfter } from "#kit/clock"
import type { AskedCharge } from "./charge.ts"
import { findAskedCharge } from "./charges-repository.ts"

/** A code with less time than this left is not shown again, unless a new one would end as soon. */
const LEAST_SECONDS = 10 * 60

/**
 * Names the payer of a draft: the same data on the same page from the same network. Null when the data doesn't tell one
 * person from another: neighbours behind one address must never share a code.
 */
export function payerOf({ payer, requestHash }: AskedCharge, network: string | null): string | null {
  const isOnePerson = [payer.email, payer.cpf, payer.phone].some((known) => known !== null && known !== "")
  return isOnePerson && network !== null && requestHash !== null ? `${network} ${requestHash.toString("hex")}` : null
}

/** The unpaid charge, if it is what the draft asks for; then the draft's key stands for it from now on. */
export async function reuseCharge(db: Db, chargeId: string, draft: AskedCharge): Promise<AskedCharge | null> {
  const known = await findAskedCharge(db, chargeId)
  if (known === null || !isSameCode(known, draft)) return null
  if (draft.idempotencyKey === null || draft.idempotencyKey === known.idempotencyKey) return known
  const firstId = await db.transaction().execute((tx) => claimKey(tx, draft, known))
  return firstId === known.id ? known : null
}

function isSameCode(known: AskedCharge, draft: AskedCharge): boolean {
  const isSameRequest = draft.requestHash?.equals(known.requestHash ?? Buffer.alloc(0)) ?? false
  const lasts = known.expiresAt >= draft.expiresAt || known.expiresAt >= secondsAfter(draft.createdAt, LEAST_SECONDS)
  return (
    isSameRequest &&
    lasts &&
    known.status === "pending" &&
    known.amountCents === draft.amountCents &&
    known.provider === draft.provider
  )
}

/** The request is hashed like the charge's own, so that the key with other data is refused. */
async function claimKey(tx: Tx, { pageId, payer, idempotencyKey }: AskedCharge, { id }: AskedCharge): Promise<string> {
  return claimIdempotencyKey(tx, { ownerId: pageId, key: idempotencyKey, request: [pageId, payer], resourceId: id })
}
