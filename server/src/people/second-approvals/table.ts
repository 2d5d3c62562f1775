import type { SecondApprovalAct } from "@tilinta/contract/vocabulary/people"
import { type Selectable, sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Schema } from "#db/schema"
import type { Db, Tx } from "#db/transaction"
import type { SecretKeys } from "#kit/secrets"
import { isFrozen } from "#people/freezes/reads"
import { currentMacs, macOf } from "#platform/order-macs/macs"
import { approvalWord, type SecondApproval } from "./rules.ts"

/** Active administrators whose rights have begun. One who never set a password can't sign in, so nobody waits for them. */
export async function findApprovers(db: Db, now: Date): Promise<{ id: string; isFrozen: boolean }[]> {
  const { rows } = await sql<{ id: string; isFrozen: boolean }>`
    select id, ${isFrozen(sql.ref("users.id"))} as "isFrozen"
    from users
    where role = 'admin' and active and password_hash is not null
      and (admin_rights_from is null or admin_rights_from <= ${now})
    order by id`.execute(db)
  return rows
}

export async function findName(db: Db, userId: string): Promise<string> {
  const row = await db.selectFrom("users").select("name").where("id", "=", userId).executeTakeFirst()
  return row?.name ?? ""
}

/** The first account's creation: the installation's age. */
export async function findFirstAccountAt(db: Db): Promise<Date | null> {
  const row = await db.selectFrom("users").select("created_at").orderBy("created_at").limit(1).executeTakeFirst()
  return row?.created_at ?? null
}

/** Two who approve at once come one after the other. */
export async function lockSubject(tx: Tx, act: SecondApprovalAct, subjectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`approval:${act}:${subjectId}`}, 0))`.execute(tx)
}

export async function findApproval(
  db: Db,
  { act, subjectId }: Pick<SecondApproval, "act" | "subjectId">,
): Promise<SecondApproval | null> {
  const query = db.selectFrom("second_approvals").selectAll().where("act", "=", act).where("subject_id", "=", subjectId)
  const row = await query.executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

export async function findApprovalById(db: Db, id: string): Promise<SecondApproval | null> {
  const row = await db.selectFrom("second_approvals").selectAll().where("id", "=", id).executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** First approvals of these subjects that still count. */
export async function findLiveApprovals(
  db: Db,
  { act, subjectIds, now }: { act: SecondApprovalAct; subjectIds: readonly string[]; now: Date },
): Promise<(SecondApproval & { askedByName: string })[]> {
  if (subjectIds.length === 0) return []
  const rows = await live(db, now).where("act", "=", act).where("subject_id", "in", subjectIds).execute()
  return rows.map((row) => ({ ...fromRow(row), askedByName: row.askedByName }))
}

/** Requests that wait, oldest first; about a thing that was decided otherwise meanwhile nobody is asked any more. */
export async function listLiveApprovals(db: Db, now: Date): Promise<(SecondApproval & { askedByName: string })[]> {
  const rows = await live(db, now)
    .where(
      sql<boolean>`case split_part(act, '.', 1)
        when 'withdrawal' then exists (
          select from withdrawals where id::text = subject_id
            and (act = 'withdrawal.approve') = (status = 'pending') and status in ('pending', 'approved', 'completed')
        )
        when 'unmatched_payment' then exists (
          select from unmatched_payments where id::text = subject_id and status = 'open'
        )
        when 'dispute' then exists (select from disputes where id::text = subject_id and settled_at is null)
        else true end`,
    )
    .orderBy("asked_at")
    .orderBy("second_approvals.id")
    .limit(500)
    .execute()
  return rows.map((row) => ({ ...fromRow(row), askedByName: row.askedByName }))
}

/** The word of somebody who is frozen, or no longer an administrator, doesn't count. */
function live(db: Db, now: Date) {
  return db
    .selectFrom("second_approvals")
    .innerJoin("users as asker", "asker.id", "second_approvals.asked_by")
    .selectAll("second_approvals")
    .select("asker.name as askedByName")
    .where("expires_at", ">", now)
    .where("asker.role", "=", "admin")
    .where("asker.active", "=", true)
    .where(sql<boolean>`not ${isFrozen(sql.ref("asker.id"))}`)
}

export async function insertApproval(tx: Tx, approval: SecondApproval): Promise<void> {
  await tx
    .insertInto("second_approvals")
    .values({
      id: approval.id,
      act: approval.act,
      subject_id: approval.subjectId,
      subject_name: approval.subjectName,
      changes: JSON.stringify(approval.changes),
      digest: approval.digest,
      asked_by: approval.askedBy,
      asked_at: approval.askedAt,
      expires_at: approval.expiresAt,
      mac: macOf(approvalWord(approval)),
    } satisfies NewRow<"second_approvals">)
    .execute()
}

/** False when it had ended meanwhile. */
export async function deleteApproval(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom("second_approvals").where("id", "=", id).executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Requests of this person that nobody has agreed to. */
export async function deleteApprovalsOf(tx: Tx, askedBy: string): Promise<SecondApproval[]> {
  const rows = await tx.deleteFrom("second_approvals").where("asked_by", "=", askedBy).returningAll().execute()
  return rows.map(fromRow)
}

export async function deleteExpiredApprovals(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom("second_approvals").where("expires_at", "<=", now).execute()
}

export async function lockApprovalsOfFormerKey(tx: Tx, secretKeys: SecretKeys): Promise<SecondApproval[]> {
  const query = tx.selectFrom("second_approvals").selectAll().where("mac", "not like", currentMacs(secretKeys))
  return (await query.forUpdate().execute()).map(fromRow)
}

export async function saveApprovalMac(tx: Tx, id: string, mac: string | null): Promise<void> {
  await tx.updateTable("second_approvals").set({ mac }).where("id", "=", id).execute()
}

function fromRow(row: Selectable<Schema["second_approvals"]>): SecondApproval {
  return {
    id: row.id,
    act: row.act,
    subjectId: row.subject_id,
    subjectName: row.subject_name,
    changes: row.changes,
    digest: row.digest,
    askedBy: row.asked_by,
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
    mac: row.mac,
  }
}
