import { createHash } from "node:crypto"
import type { Tx } from "#db/transaction"
import { DomainError } from "#kit/errors"
import { existsKey, insertKeyOnce, updateResource } from "./table.ts"

interface Claim {
  /** Keys belong to one user: the same key of another user is a different one. */
  ownerId: string
  key: string | null
  request: object
  resourceId: string
}

/**
 * The id of what the key created first: `resourceId` itself when the key is new. Concurrent claims wait for each other.
 */
export async function claimIdempotencyKey(tx: Tx, { ownerId, key, request, resourceId }: Claim): Promise<string> {
  if (key === null) return resourceId
  const requestHash = hashOfRequest(request)
  const first = await insertKeyOnce(tx, { ownerId, key, requestHash, resourceId })
  if (!first.requestHash.equals(requestHash)) throw new DomainError("idempotency_key_reused")
  return first.resourceId
}

/** Lets a key stand for another resource, when nothing is left of the one before. False if another request was faster. */
export async function moveIdempotencyKey(tx: Tx, { ownerId, key, resourceId }: Claim, from: string): Promise<boolean> {
  return key === null || updateResource(tx, { ownerId, key, resourceId }, from)
}

/** True when an earlier request of the same user had this key, and was not refused. */
export async function isKeyClaimed(tx: Tx, ownerId: string, key: string | null): Promise<boolean> {
  return key !== null && existsKey(tx, { ownerId, key })
}

/** Requests are the same when their hashes are equal. */
function hashOfRequest(request: object): Buffer {
  return createHash("sha256").update(JSON.stringify(request)).digest()
}
