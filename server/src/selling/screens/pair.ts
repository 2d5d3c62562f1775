import { SCREEN_CODE_MINUTES } from "@tilinta/contract/screens"
import type { Db, Tx } from "#db/transaction"
import { publishChargeEvents, publishSessionsEnded } from "#events/events"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import { hashOfToken, isToken, newToken } from "#kit/secrets"
import { lockPerson } from "#people/users/change-user"
import { recordAudit } from "#platform/audit/record"
import { type Actor, type AuditEntry, personOf } from "#platform/audit/rules"
import { findScreenByToken, isSaleOf, listScreens } from "./reads.ts"
import { type LiveScreen, MOST_SCREENS, newScreenCode, type Screen, typedCode } from "./rules.ts"
import * as table from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

/** The code is stored nowhere. @throws too_many_screens */
export async function addScreen({ db, clock }: Deps, by: Actor): Promise<Screen & { code: string }> {
  return db.transaction().execute((tx) => storeScreen(tx, by, clock.now()))
}

async function storeScreen(tx: Tx, by: Actor, now: Date): Promise<Screen & { code: string }> {
  await lockPerson(tx, by.id)
  await table.deleteUnusedScreens(tx, by.id, now)
  if ((await listScreens(tx, by.id, now)).length >= MOST_SCREENS) throw new DomainError("too_many_screens")
  const [id, code] = [newId(), newScreenCode()]
  const codeExpiresAt = secondsAfter(now, SCREEN_CODE_MINUTES * 60)
  const made = {
    id,
    shopId: by.id,
    createdBy: personOf(by),
    codeHash: hashOfToken(code),
    codeExpiresAt,
    createdAt: now,
  }
  await table.insertScreen(tx, made)
  await recordAudit(tx, auditOf("screen.added", { id, shopId: by.id }, by, now))
  const screen = (await listScreens(tx, by.id, now)).find((each) => each.id === id)
  invariant(screen !== undefined, "a new screen is live")
  return { ...screen, code }
}

/** Returns the device's secret, whose hash alone is stored. @throws screen_code_wrong */
export async function pairScreen({ db, clock }: Deps, code: string): Promise<string> {
  const token = newToken()
  const hashes = { codeHash: hashOfToken(typedCode(code)), tokenHash: hashOfToken(token) }
  await db.transaction().execute((tx) => pair(tx, hashes, clock.now()))
  return token
}

async function pair(tx: Tx, hashes: { codeHash: Buffer; tokenHash: Buffer }, now: Date): Promise<void> {
  const paired = await table.pairScreen(tx, { ...hashes, now })
  if (paired === undefined || (await findScreenByToken(tx, hashes.tokenHash)) === null) {
    throw new DomainError("screen_code_wrong")
  }
  await recordAudit(tx, auditOf("screen.paired", paired, null, now))
}

interface OfScreen {
  screenId: string
  by: Actor
}

/** @throws screen_not_found, transaction_not_found */
export async function showOnScreen({ db }: Deps, shown: OfScreen & { chargeId: string | null }): Promise<void> {
  await db.transaction().execute((tx) => show(tx, shown))
}

async function show(tx: Tx, { screenId, by, chargeId }: OfScreen & { chargeId: string | null }): Promise<void> {
  const before = await lockOwn(tx, { screenId, by })
  if (chargeId !== null && !(isId(chargeId) && (await isSaleOf(tx, by.id, chargeId)))) {
    throw new DomainError("transaction_not_found")
  }
  await table.saveShown(tx, screenId, chargeId)
  const changed = chargeId ?? before.chargeId
  if (changed !== null) await publishChargeEvents(tx, [{ chargeId: changed, sellerId: by.id }])
}

/** Its device shows nothing more at once. @throws screen_not_found */
export async function removeScreen({ db, clock }: Deps, removed: OfScreen): Promise<void> {
  await db.transaction().execute((tx) => remove(tx, removed, clock.now()))
}

async function remove(tx: Tx, { screenId, by }: OfScreen, now: Date): Promise<void> {
  await lockOwn(tx, { screenId, by })
  await table.deleteScreen(tx, screenId)
  await recordAudit(tx, auditOf("screen.removed", { id: screenId, shopId: by.id }, by, now))
  await publishSessionsEnded(tx, by.id)
}

async function lockOwn(tx: Tx, { screenId, by }: OfScreen): Promise<{ chargeId: string | null }> {
  const screen = isId(screenId) ? await table.lockScreen(tx, { id: screenId, shopId: by.id }) : undefined
  if (screen === undefined) throw new DomainError("screen_not_found")
  return screen
}

/** @throws screen_not_found for a secret that opens none, or no more */
export async function getScreen(db: Db, token: unknown): Promise<LiveScreen> {
  const isPossible = typeof token === "string" && isToken(token)
  const screen = isPossible ? await findScreenByToken(db, hashOfToken(token)) : null
  if (screen === null) throw new DomainError("screen_not_found")
  return screen
}

/** For an account that is deleted. */
export async function eraseScreensOf(tx: Tx, userId: string): Promise<void> {
  await table.deleteScreensOf(tx, userId)
}

function auditOf(
  action: "screen.added" | "screen.paired" | "screen.removed",
  { id, shopId }: { id: string; shopId: string },
  actor: Actor | null,
  happenedAt: Date,
): AuditEntry {
  return { actor, happenedAt, action, entity: "screen", entityId: id, before: null, after: { shopId } }
}
