import type { Selectable } from "kysely"
import type { NewRow } from "#db/row-types"
import type { Schema } from "#db/schema"
import type { Db, Tx } from "#db/transaction"
import type { HandSettlement } from "./hand-settlement.ts"

export async function lockHandSettlement(tx: Tx, subjectId: string): Promise<HandSettlement | null> {
  const row = await tx
    .selectFrom("hand_settlements")
    .selectAll()
    .where("subject_id", "=", subjectId)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : toHandSettlement(row)
}

export async function findHandSettlements(db: Db, subjectIds: readonly string[]): Promise<HandSettlement[]> {
  if (subjectIds.length === 0) return []
  const rows = await db.selectFrom("hand_settlements").selectAll().where("subject_id", "in", subjectIds).execute()
  return rows.map(toHandSettlement)
}

/** Replaces an earlier word that has not taken effect. */
export async function saveHandSettlement(tx: Tx, settlement: HandSettlement): Promise<void> {
  const { subjectId, subject, ...said } = settlement
  const changes = {
    outcome: said.outcome,
    end_to_end_id: said.endToEndId,
    reason: said.reason,
    proposed_by: said.proposedBy,
    proposed_at: said.proposedAt,
    confirmed_by: said.confirmedBy,
    settled_at: said.settledAt,
  }
  await tx
    .insertInto("hand_settlements")
    .values({ subject_id: subjectId, subject, ...changes } satisfies NewRow<"hand_settlements">)
    .onConflict((conflict) => conflict.column("subject_id").doUpdateSet(changes))
    .execute()
}

function toHandSettlement(row: Selectable<Schema["hand_settlements"]>): HandSettlement {
  return {
    subjectId: row.subject_id,
    subject: row.subject,
    outcome: row.outcome,
    endToEndId: row.end_to_end_id,
    reason: row.reason,
    proposedBy: row.proposed_by,
    proposedAt: row.proposed_at,
    confirmedBy: row.confirmed_by,
    settledAt: row.settled_at,
  }
}
