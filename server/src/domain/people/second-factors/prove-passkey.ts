import type { PasskeyAssertion } from "@tilinta/contract/api/passkeys-endpoints"
import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"
import { type ChallengeFor, challengeIn, takeChallenge } from "./passkey-challenge.ts"
import { findStoredKey, lockOwnPasskey, noteUse } from "./passkeys-repository.ts"
import { getRelyingParty } from "./relying-party.ts"
import { readSignCount } from "./verify-passkey.ts"

export interface ProvenPasskey {
  id: string
  userId: string
  name: string
  enrolledAt: Date
  signCount: number
}

/**
 * Null when the assertion proves nothing. The challenge is used up in any case. Nothing counts before `spendPasskey` has
 * succeeded in the transaction that lets the user in.
 */
export async function provePasskey(
  deps: { db: Db; clock: Clock; publicUrl: string },
  assertion: PasskeyAssertion,
  wanted: ChallengeFor,
): Promise<ProvenPasskey | null> {
  const relyingParty = getRelyingParty(deps.publicUrl)
  const challenge = challengeIn(assertion.response.clientDataJSON)
  if (!(await takeChallenge(deps, challenge, wanted))) return null
  const key = await findStoredKey(deps.db, Buffer.from(assertion.id, "base64url"))
  if (key === undefined || !isHandle(key.handle, assertion, wanted)) return null
  const signCount = await readSignCount(assertion, key, { challenge, relyingParty })
  const { id, userId, name, createdAt: enrolledAt } = key
  return signCount === null ? null : { id, userId, name, enrolledAt, signCount }
}

/** The authenticator must say who it is where nobody else has. */
function isHandle(handle: Buffer, { response }: PasskeyAssertion, { purpose }: ChallengeFor): boolean {
  const said = response.userHandle ?? null
  return said === null ? purpose !== "sign_in" : handle.equals(Buffer.from(said, "base64url"))
}

/** False when the passkey was removed meanwhile, or its counter went back, which only a copy of it does. */
export async function spendPasskey(tx: Tx, proven: ProvenPasskey, owner: Actor, now: Date): Promise<boolean> {
  if (await noteUse(tx, proven, now)) return true
  const passkey = await lockOwnPasskey(tx, proven)
  if (passkey === undefined) return false
  await recordAudit(tx, {
    ...{ actor: null, happenedAt: now, action: "second_factor.copied", entity: "user", entityId: owner.id },
    before: null,
    after: { method: "passkey", name: passkey.name, address: owner.address },
  })
  return false
}
