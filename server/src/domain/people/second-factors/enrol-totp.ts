import type { Db, Tx } from "#db/transaction"
import { closeSessionsOf } from "#domain/people/sessions/close-session"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { requireSharedKey } from "#domain/platform/sealing/sealing-key"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import type { SecretKeys } from "#kit/secret-box"
import { deleteUselessCodes } from "./delete-useless-codes.ts"
import { noteFactorChange } from "./factor-notice.ts"
import { findFactorsOf } from "./find-factors.ts"
import { replaceRecoveryCodes } from "./replace-recovery-codes.ts"
import {
  confirmTotpRow,
  deleteTotp,
  findTotp,
  lockFactorsOf,
  saveUnconfirmedTotp,
} from "./second-factors-repository.ts"
import { newTotpSecret, stepOfCode } from "./totp.ts"
import { openTotp, sealTotp } from "./totp-box.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

interface Owner extends Actor {
  /** The token of the session that asks, which stays open. */
  token: string
}

/** Returns the secret for the app. It counts once `confirmTotp` has seen a code; until then asking again replaces it. */
export async function beginTotp(deps: Deps, userId: string): Promise<string> {
  const secret = newTotpSecret()
  await deps.db.transaction().execute((tx) => storeSecret(tx, deps, { userId, secret }))
  return secret
}

async function storeSecret(
  tx: Tx,
  { clock, secretKeys }: Deps,
  { userId, secret }: { userId: string; secret: string },
): Promise<void> {
  await requireSharedKey(tx, secretKeys)
  await lockFactorsOf(tx, userId)
  const isSaved = await saveUnconfirmedTotp(tx, sealTotp(secretKeys, { id: newId(), userId }, secret), clock.now())
  if (!isSaved) throw new DomainError("totp_already_enrolled")
}

/** Returns the recovery codes of a first factor, stored nowhere. Sessions that were opened without the factor end. */
export async function confirmTotp(deps: Deps, owner: Owner, code: string): Promise<string[]> {
  return deps.db.transaction().execute((tx) => confirm(tx, deps, { owner, code }))
}

async function confirm(
  tx: Tx,
  { clock, secretKeys }: Deps,
  { owner, code }: { owner: Owner; code: string },
): Promise<string[]> {
  const now = clock.now()
  await lockFactorsOf(tx, owner.id)
  const isFirst = (await findFactorsOf(tx, owner.id)).length === 0
  const stored = await findTotp(tx, owner.id, "unconfirmed")
  if (stored === undefined) throw new DomainError("totp_not_begun")
  const step = stepOfCode(openTotp(secretKeys, stored), code.replaceAll(/\s/g, ""), now)
  if (step === null) throw new DomainError("second_factor_invalid")
  await confirmTotpRow(tx, stored, step, now)
  await closeSessionsOf(tx, owner.id, { spared: owner, by: actorOf(owner) }, now)
  await noteFactorChange(tx, { owner: actorOf(owner), change: "added", factor: "totp" }, now)
  return isFirst ? replaceRecoveryCodes(tx, owner.id, now) : []
}

/** Other sessions end, as with a changed password. */
export async function removeTotp({ db, clock }: Pick<Deps, "db" | "clock">, owner: Owner): Promise<void> {
  await db.transaction().execute((tx) => remove(tx, owner, clock.now()))
}

async function remove(tx: Tx, owner: Owner, now: Date): Promise<void> {
  await lockFactorsOf(tx, owner.id)
  if (!(await deleteTotp(tx, owner.id))) return
  await deleteUselessCodes(tx, owner.id)
  await closeSessionsOf(tx, owner.id, { spared: owner, by: actorOf(owner) }, now)
  await noteFactorChange(tx, { owner: actorOf(owner), change: "removed", factor: "totp" }, now)
}

function actorOf({ id, address }: Owner): Actor {
  return { id, address }
}
