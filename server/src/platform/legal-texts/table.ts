import { type LegalKind, legalKinds } from "@tilinta/contract/vocabulary/mails"
import { sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Db, Tx } from "#db/transaction"

interface LegalText {
  kind: LegalKind
  version: number
  /** Empty for the text that comes with the software. */
  body: string
  publishedAt: Date
}

/** Undefined for a version that never was; null asks for the one in force. */
export async function findLegalText(
  db: Db,
  kind: LegalKind,
  version: number | null,
): Promise<(LegalText & { isInForce: boolean }) | undefined> {
  const { rows } = await sql<LegalText & { isInForce: boolean }>`
    select kind, version, body, published_at as "publishedAt",
      version = (select max(version) from legal_texts latest where latest.kind = ${kind}) as "isInForce"
    from legal_texts where kind = ${kind} and (${version}::integer is null or version = ${version}::integer)
    order by version desc limit 1`.execute(db)
  return rows[0]
}

/** Serialises the versions of one text. */
export async function insertNextText(
  tx: Tx,
  { kind, body, by, now }: { kind: LegalKind; body: string; by: string; now: Date },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`legal-text:${kind}`}, 0))`.execute(tx)
  await sql`
    insert into legal_texts (kind, version, body, published_at, published_by)
    select ${kind}, max(version) + 1, ${body}, ${now}, ${by}::uuid from legal_texts where kind = ${kind}`.execute(tx)
}

export interface LegalState extends Omit<LegalText, "body"> {
  acceptedAt: Date | null
}

/** The texts in force, and when the user accepted them. */
export async function findLegalStates(db: Db, userId: string): Promise<LegalState[]> {
  const { rows } = await sql<LegalState>`
    select latest.kind, latest.version, latest.published_at as "publishedAt", accepted.accepted_at as "acceptedAt"
    from (select distinct on (kind) kind, version, published_at from legal_texts order by kind, version desc) latest
    left join legal_acceptances accepted
      on accepted.user_id = ${userId} and accepted.kind = latest.kind and accepted.version = latest.version`.execute(db)
  return rows.sort((a, b) => legalKinds.indexOf(a.kind) - legalKinds.indexOf(b.kind))
}

/** False when it was accepted before. */
export async function insertAcceptanceOnce(
  tx: Tx,
  { userId, kind, version, now }: { userId: string; kind: LegalKind; version: number; now: Date },
): Promise<boolean> {
  const inserted = await tx
    .insertInto("legal_acceptances")
    .values({ user_id: userId, kind, version, accepted_at: now } satisfies NewRow<"legal_acceptances">)
    .onConflict((conflict) => conflict.doNothing())
    .returning("version")
    .executeTakeFirst()
  return inserted !== undefined
}
