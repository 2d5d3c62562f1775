import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import pg from "pg"
import { appRole } from "../../server/src/db/roles.ts"
import { eventually } from "./eventually.ts"

export interface BankPayment {
  endToEndId: string
  txid: string
  amountCents: number
}

/** The pid and port of the embedded PostgreSQL. */
export async function readPostmaster(dataDir: string): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8").catch(() => null)
  if (text === null) return null
  const lines = text.split("\n")
  return { pid: Number(lines[0]), port: Number(lines[3]) }
}

/** The server waits 2.5 s for its database; a busy machine's writes its last checkpoint a moment after that. */
export async function untilDatabaseEnded(dataDir: string): Promise<void> {
  await eventually(
    () => readPostmaster(dataDir),
    (postmaster) => postmaster === null,
  )
}

export async function killDatabase(dataDir: string): Promise<void> {
  const postmaster = await readPostmaster(dataDir)
  if (postmaster === null) throw new Error("no database is running")
  process.kill(postmaster.pid, "SIGKILL")
}

export async function embeddedUrl(dataDir: string): Promise<string> {
  const secret = (await readFile(join(dataDir, "postgres-password"), "utf8")).trim()
  const postmaster = await readPostmaster(dataDir)
  return `postgres://postgres:${secret}@127.0.0.1:${postmaster?.port}/tilinta?sslmode=disable`
}

/**
 * Queries the database directly, or changes what otherwise only time would change: as the servers' role, or verify would
 * name it. When a row began is the owner's alone.
 */
export async function query<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on("error", () => undefined)
  await client.connect()
  try {
    if (/^update (?:users|withdrawals|refunds) set (?!created_at)/.test(sql)) await client.query(`set role ${appRole}`)
    return (await client.query<Row>(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Booked payments by endToEndId: how often, and as what. */
export async function readBookedPayments(databaseUrl: string): Promise<Map<string, { times: number; as: string }>> {
  const rows = await query<{ id: string; times: number; as: string }>(
    databaseUrl,
    `select payment.end_to_end_id as id, payment.disposition as as, count(posting.line)::int as times
     from payments payment
     left join ledger_postings posting on posting.reference = payment.end_to_end_id and posting.line = 1
     group by 1, 2`,
  )
  return new Map(rows.map(({ id, times, as }) => [id, { times, as }]))
}

/** The bank's own list; the bank must have stopped, because its process locks the books. */
export function readBankPayments(dataDir: string): BankPayment[] {
  return readBank(dataDir, "SELECT endToEndId, txid, amountCents FROM payments")
}

export function readBankCharges(dataDir: string): { txid: string; status: string }[] {
  return readBank(dataDir, "SELECT txid, status FROM charges")
}

export function readBankPayouts(dataDir: string): { sendId: string; endToEndId: string }[] {
  return readBank(dataDir, "SELECT sendId, endToEndId FROM payouts")
}

/** The account's total of received, refunded and paid-out centavos. */
export function readBankTotals(dataDir: string): { paidIn: number; refunded: number; paidOut: number } {
  const [totals] = readBank<{ paidIn: number; refunded: number; paidOut: number }>(
    dataDir,
    `SELECT (SELECT coalesce(sum(amountCents), 0) FROM payments) AS paidIn,
       (SELECT coalesce(sum(amountCents), 0) FROM refunds WHERE refusal IS NULL) AS refunded,
       (SELECT coalesce(sum(amountCents), 0) FROM payouts WHERE refusal IS NULL) AS paidOut`,
  )
  return {
    paidIn: Number(totals?.paidIn),
    refunded: Number(totals?.refunded),
    paidOut: Number(totals?.paidOut),
  }
}

export function readBankRefunds(dataDir: string): { refundId: string }[] {
  return readBank(dataDir, "SELECT refundId FROM refunds")
}

export interface BankBooks {
  payments: BankPayment[]
  refunds: { endToEndId: string; refundId: string; amountCents: number; refusal: string | null }[]
  payouts: { sendId: string; amountCents: number; payeeKey: string; refusal: string | null }[]
  payoutReturns: { sendId: string; returnedCents: number }[]
  charges: { txid: string; status: string }[]
}

export function readBankBooks(dataDir: string): BankBooks {
  return {
    payments: readBankPayments(dataDir),
    refunds: readBank(dataDir, "SELECT endToEndId, refundId, amountCents, refusal FROM refunds"),
    payouts: readBank(dataDir, "SELECT sendId, amountCents, payeeKey, refusal FROM payouts"),
    payoutReturns: readBank(dataDir, "SELECT sendId, returnedCents FROM payout_returns"),
    charges: readBankCharges(dataDir),
  }
}

function readBank<Row>(dataDir: string, sql: string): Row[] {
  const books = new DatabaseSync(join(dataDir, "simulator", "simulator.sqlite"), { readOnly: true, timeout: 2_000 })
  try {
    return books
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }) as Row)
  } finally {
    books.close()
  }
}
