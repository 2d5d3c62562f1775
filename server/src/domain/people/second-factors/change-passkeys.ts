import type { Db, Tx } from "#db/transaction"
import { closeSessionsOf } from "#domain/people/sessions/close-session"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { deleteUselessCodes } from "./delete-useless-codes.ts"
import { noteFactorChange } from "./factor-notice.ts"
import { deletePasskeyRow, lockOwnPasskey, type Passkey, renamePasskeyRow } from "./passkeys-repository.ts"
import { lockFactorsOf } from "./second-factors-repository.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface Owner extends Actor {
  /** The token of the session that asks, which stays open. */
  token: string
}

export async function renamePasskey(
  { db, clock }: Deps,
  owner: Actor,
  wish: { id: string; name: string },
): Promise<Passkey> {
  return db.transaction().execute((tx) => rename(tx, owner, wish, clock.now()))
}

async function rename(tx: Tx, owner: Actor, { id, name }: { id: string; name: string }, now: Date): Promise<Passkey> {
  const passkey = await lockPasskey(tx, id, owner.id)
  if (passkey.name === name) return passkey
  await renamePasskeyRow(tx, id, name)
  await recordAudit(tx, {
    ...{ actor: owner, happenedAt: now, action: "second_factor.renamed", entity: "user", entityId: owner.id },
    before: { name: passkey.name },
    after: { name },
  })
  return { ...passkey, name }
}

/** Other sessions end, as with a changed password. */
export async function removePasskey({ db, clock }: Deps, owner: Owner, id: string): Promise<void> {
  await db.transaction().execute((tx) => remove(tx, owner, id, clock.now()))
}

async function remove(tx: Tx, owner: Owner, id: string, now: Date): Promise<void> {
  await lockFactorsOf(tx, owner.id)
  const { name } = await lockPasskey(tx, id, owner.id)
  await deletePasskeyRow(tx, id)
  await deleteUselessCodes(tx, owner.id)
  const actor = { id: owner.id, address: owner.address }
  await closeSessionsOf(tx, owner.id, { spared: owner, by: actor }, now)
  await noteFactorChange(tx, { owner: actor, change: "removed", factor: "passkey", name }, now)
}

async function lockPasskey(tx: Tx, id: string, userId: string): Promise<Passkey> {
  const passkey = isId(id) ? await lockOwnPasskey(tx, { id, userId }) : undefined
  if (passkey === undefined) throw new DomainError("passkey_not_found")
  return passkey
}
