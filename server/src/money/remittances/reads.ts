import type { Cents } from "@tilinta/contract/vocabulary/money"
import { sql } from "kysely"
import type { Db } from "#db/transaction"
import { DomainError } from "#kit/errors"

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

export async function findRemittance(db: Db, id: string): Promise<{ sequence: number; file: string } | null> {
  const query = db.selectFrom("remittances").select(["sequence", "file"]).where("id", "=", id)
  return (await query.executeTakeFirst()) ?? null
}

/** The file as it was written. @throws not_found also once it is erased */
export async function getRemittanceFile(db: Db, sequence: number): Promise<string> {
  const query = db.selectFrom("remittances").select("file").where("sequence", "=", sequence)
  const row = await query.executeTakeFirst()
  if (row === undefined || row.file === "") throw new DomainError("not_found")
  return row.file
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
