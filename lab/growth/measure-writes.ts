import { cp } from "node:fs/promises"
import { join } from "node:path"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { encodeDynamic } from "../../brcode/src/encode.ts"
import { connectEmbedded } from "../../server/src/db/embedded-postgres.ts"
import { createPool, lookupSettings } from "../../server/src/db/pools.ts"
import { createDb, type SoleDb } from "../../server/src/db/transaction.ts"
import { systemClock } from "../../server/src/kit/clock.ts"
import { createLog } from "../../server/src/kit/log.ts"
import { bookPayments } from "../../server/src/money/payments/book.ts"
import { connectSimulator } from "../../server/src/psp/connect-psp.ts"
import type { PaymentReceived, Psp } from "../../server/src/psp/psp.ts"
import { createCharge } from "../../server/src/selling/charges/create.ts"
import { type ChargeSteps, createChargeSteps } from "../../server/src/selling/charges/open.ts"
import { openWorkshop } from "../crash-tests/server-process.ts"
import { postgresCpuSeconds, postmasterOf } from "../kit/process-figures.ts"
import { ensureSeeded, folderFor } from "../seeded-server.ts"

export interface Figures {
  cpuUs: number
  walBytes: number
}

export interface WriteFigures {
  create: Figures
  confirm: Figures
}

interface Books {
  db: SoleDb
  chargeSteps: ChargeSteps
  query<Row extends object>(text: string): Promise<Row[]>
  postmaster: number
  pageIds: string[]
}

/** Seeds up to this size are copied before the writes; the writes do not noticeably change a longer history. */
const copiedUpTo = 1_000_000
const sellers = 1_000
const atOnce = 100
const log = createLog("error")

type MadeCharge = { txid: string; amountCents: Cents }

let paidEver = 0

export async function openBooks(sizes: readonly number[]): Promise<{ opened: Books[]; close(): Promise<void> }> {
  const workshop = await openWorkshop()
  const opened: Books[] = []
  const closings: (() => Promise<void>)[] = []
  for (const size of sizes) {
    const seeded = await folderFor(workshop, size)
    await ensureSeeded(seeded, size)
    const isCopied = size <= copiedUpTo
    const dataDir = isCopied ? join(await workshop.newFolder(), "copy") : seeded
    if (isCopied) await cp(seeded, dataDir, { recursive: true, preserveTimestamps: true })
    const embedded = await connectEmbedded({ dataDir, log })
    const pool = createPool({
      url: embedded.url,
      max: 4,
      applicationName: "bench",
      settings: lookupSettings,
      connectionMs: 60_000,
      statementMs: 600_000,
      silenceMs: 600_000,
    })
    const query: Books["query"] = async (text) => {
      const session = await pool.connect()
      await session.query("set role none")
      const { rows } = await session.query(text)
      session.release(true)
      return rows
    }
    const [cluster] = await query<{ folder: string }>("select current_setting('data_directory') as folder")
    const pages = await query<{ id: string }>(`
      select distinct on (seller_id) id from charge_pages
      where status = 'active' and max_payments is null order by seller_id, id limit ${sellers}`)
    const pageIds = pages.map(({ id }) => id)
    await settle(query)
    const db = createDb(pool)
    opened.push({
      db,
      chargeSteps: createChargeSteps(db),
      query,
      postmaster: postmasterOf(cluster?.folder ?? dataDir),
      pageIds,
    })
    closings.push(async () => {
      await query("alter system reset autovacuum")
      await pool.end()
      await embedded.stop()
    })
  }
  return {
    opened,
    async close() {
      for (const close of closings) await close()
      await workshop.close()
    },
  }
}

/** Vacuums before a round and switches autovacuum off, so that none runs, and is measured, in the middle of it. */
async function settle(query: Books["query"]): Promise<void> {
  for (const text of ["vacuum (analyze)", "checkpoint", "alter system set autovacuum = off"]) await query(text)
  await query("select pg_reload_conf()")
}

/** The cost of the vacuum that autovacuum would run, at its worst: every index is read in full. */
export function measureTidying(books: Books): Promise<Figures> {
  return metered(books, 1, async () => {
    await books.query("vacuum (index_cleanup on) charges")
  })
}

/** Creates charges, round robin over the sellers, then books the payments of all of them. */
export async function measureWrites(books: Books, count: number): Promise<WriteFigures> {
  const deps = { db: books.db, chargeSteps: books.chargeSteps, clock: systemClock, log, psp: promptBank() }
  const made: MadeCharge[] = []
  const create = await metered(books, count, async () => {
    for (let first = 0; first < count; first += atOnce) {
      const pageIds = Array.from(
        { length: atOnce },
        (_, at) => books.pageIds[(first + at) % books.pageIds.length] ?? "",
      )
      const inputs = pageIds.map((pageId) => ({ pageId, customerInfo: null, idempotencyKey: null }))
      made.push(...(await Promise.all(inputs.map((input) => createCharge(deps, input)))))
    }
  })
  const received = paymentsOf(made)
  const confirm = await metered(books, count, () => bookPayments(deps, received))
  const [first, last] = [received.at(0)?.endToEndId, received.at(-1)?.endToEndId]
  const [booked] = await books.query<{ count: number }>(`
    select count(*) from payments where end_to_end_id between '${first}' and '${last}' and disposition = 'credited'`)
  if (booked?.count !== count) throw new Error(`${booked?.count} of ${count} payments were booked`)
  return { create, confirm }
}

/** EndToEndIds that grow with time, as banks' do, and are unique across the rounds of one second. */
function paymentsOf(charges: readonly MadeCharge[]): PaymentReceived[] {
  const paidAt = new Date()
  const second = paidAt.toISOString().replace(/\D/g, "").slice(0, 14)
  return charges.map(({ txid, amountCents }): PaymentReceived => {
    paidEver += 1
    const endToEndId = `E00000000${second}${String(paidEver).padStart(9, "0")}`
    return { provider: "simulator", endToEndId, txid, amountCents, paidAt, refunds: [] }
  })
}

async function metered({ query, postmaster }: Books, count: number, work: () => Promise<void>): Promise<Figures> {
  const position = async () => {
    const [row] = await query<{ bytes: number }>("select (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes")
    return row?.bytes ?? 0
  }
  const [cpu, wal] = [postgresCpuSeconds(postmaster), await position()]
  await work()
  const seconds = postgresCpuSeconds(postmaster) - cpu
  return { cpuUs: (seconds / count) * 1e6, walBytes: ((await position()) - wal) / count }
}

/** A bank that answers at once and takes no time of its own. */
function promptBank(): Psp {
  const nowhere = { url: "http://127.0.0.1:9", clientId: "x", clientSecret: "x", receiverKey: "x" }
  return {
    ...connectSimulator(nowhere, log),
    createCharge: async ({ txid, amountCents }) => ({
      pixCode: encodeDynamic({
        url: `bank.example/${txid}`,
        amountCents,
        merchantName: "Loja",
        merchantCity: "Recife",
      }),
    }),
  }
}
