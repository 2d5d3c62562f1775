import type { Cents } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, sql } from "kysely"
import type { Db, Tx } from "#db/transaction"
import { DomainError, invariant } from "#kit/errors"
import { requireAuthentic } from "#platform/order-macs/macs"
import { digestOf, remittanceOrder, type WrittenRemittance } from "./rules.ts"

interface OpenEntry {
  sequence: number
  line: number
  by: { id: string; name: string }
  at: Date
}

/** The remittance that may be paying it; null where none is, or its bank has answered. */
export async function findOpenEntry(db: Db, withdrawalId: string): Promise<OpenEntry | null> {
  const { rows } = await sql<{ sequence: number; line: number; id: string; name: string; at: Date }>`
    select entry.sequence, entry.line, maker.id, maker.name, remittance.made_at as at
    from remittance_entries entry
    join remittances remittance on remittance.sequence = entry.sequence
    join users maker on maker.id = remittance.made_by
    where entry.withdrawal_id = ${withdrawalId} and entry.state = 'sent'`.execute(db)
  const [found] = rows
  return found === undefined ? null : { ...found, by: { id: found.id, name: found.name } }
}

export type StoredRemittance = WrittenRemittance & { file: string; mac: string | null }

export function selectRemittances(where: RawBuilder<unknown>) {
  return sql<StoredRemittance>`
    select sequence, id, file, file_digest as "fileDigest", made_by as "madeBy", made_at as "madeAt", mac, coalesce((
      select json_agg(json_build_object('line', line, 'withdrawalId', withdrawal_id) order by line)
      from remittance_entries entry where entry.sequence = remittances.sequence
    ), '[]') as lines
    from remittances where ${where}`
}

/** The file as it was written. @throws not_found also once it is erased, order_not_authentic */
export async function getRemittance(
  tx: Tx,
  by: { id: string } | { sequence: number },
): Promise<{ sequence: number; file: string }> {
  const where = "id" in by ? sql`id = ${by.id}` : sql`sequence = ${by.sequence}`
  const [found] = (await selectRemittances(where).execute(tx)).rows
  if (found === undefined || found.file === "") throw new DomainError("not_found")
  const { mac, file, ...written } = found
  requireAuthentic(remittanceOrder({ ...written, fileDigest: digestOf(file) }), mac)
  return found
}

/** @throws order_not_authentic where its lines are not those of its file */
export async function requireLines(tx: Tx, sequence: number): Promise<void> {
  const [found] = (await selectRemittances(sql`sequence = ${sequence}`).execute(tx)).rows
  invariant(found !== undefined, "an entry has its remittance")
  requireAuthentic(remittanceOrder(found), found.mac)
}

interface KnownEntry {
  withdrawalId: string
  amountCents: Cents
  state: string
}

/** Null where no remittance has such a line. */
export async function findEntry(
  db: Db,
  { sequence, line }: { sequence: number; line: number },
): Promise<KnownEntry | null> {
  const { rows } = await sql<KnownEntry>`
    select entry.withdrawal_id as "withdrawalId", withdrawal.amount_cents as "amountCents", entry.state
    from remittance_entries entry join withdrawals withdrawal on withdrawal.id = entry.withdrawal_id
    where entry.sequence = ${sequence} and entry.line = ${line}`.execute(db)
  return rows[0] ?? null
}
