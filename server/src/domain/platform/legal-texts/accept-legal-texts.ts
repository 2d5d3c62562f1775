import type { LegalKind } from "@tilinta/contract/vocabulary/legal-texts"
import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { findLegalStates, insertAcceptanceOnce, type LegalState } from "./legal-texts-repository.ts"

interface Version {
  kind: LegalKind
  version: number
}

export async function listLegalTextsOf(db: Db, userId: string): Promise<LegalState[]> {
  return findLegalStates(db, userId)
}

/** Only what was shown is accepted: an older version is refused. @throws legal_text_changed */
export async function acceptLegalTexts(
  { db, clock }: { db: Db; clock: Clock },
  actor: Actor,
  versions: readonly Version[],
): Promise<LegalState[]> {
  return db.transaction().execute((tx) => accept(tx, actor, versions, clock.now()))
}

async function accept(tx: Tx, actor: Actor, versions: readonly Version[], now: Date): Promise<LegalState[]> {
  const inForce = await findLegalStates(tx, actor.id)
  for (const { kind, version } of versions) {
    if (!inForce.some((text) => text.kind === kind && text.version === version)) {
      throw new DomainError("legal_text_changed")
    }
    await acceptOne(tx, actor, { kind, version }, now)
  }
  return findLegalStates(tx, actor.id)
}

/** For a sign-up, whose form says that it accepts them. */
export async function acceptTextsInForce(tx: Tx, actor: Actor, now: Date): Promise<void> {
  for (const { kind, version } of await findLegalStates(tx, actor.id)) {
    await insertAcceptanceOnce(tx, { userId: actor.id, kind, version, now })
  }
}

async function acceptOne(tx: Tx, actor: Actor, { kind, version }: Version, now: Date): Promise<void> {
  if (!(await insertAcceptanceOnce(tx, { userId: actor.id, kind, version, now }))) return
  await recordAudit(tx, {
    ...{ actor, happenedAt: now, action: "legal_text.accepted", entity: "legal_text", entityId: `${kind}:${version}` },
    ...{ before: null, after: { kind, version } },
  })
}
