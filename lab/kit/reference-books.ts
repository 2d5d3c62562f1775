import { startEmbeddedPostgres } from "../../server/src/db/embedded-postgres.ts"
import { createLog } from "../../server/src/kit/log.ts"
import { createOwnerPool } from "../../server/test-support/owner-pool.ts"
import { pgbench } from "./pgbench.ts"

type Pool = ReturnType<typeof createOwnerPool>

/**
 * The least that a platform must write for a payment: an event that makes it unique, the charge as paid, three postings
 * whose sum is zero, the seller's balance. The tables are none of the product's, so the limit stays what it is when our
 * schema changes.
 */
interface ReferenceBooks {
  /** M0: payments per second of transactions of four statements each, one payment in each. */
  inTransactions(range: Range, seconds: number): Promise<number>
  /** S0: payments per second of single statements, one payment in each. */
  inStatements(range: Range, seconds: number): Promise<number>
  /** B0: payments per second of statements of 200 payments each, two of them under way at a time. */
  inBatches(first: number, count: number): Promise<number>
  /** Vacuums and writes everything out, so that none of it happens while the product takes its turn. */
  rest(): Promise<void>
  /** Refuses wrong sums: a limit counts only if it did the whole work. */
  check(): Promise<void>
  close(): Promise<void>
}

/** pgbench's clients pay `span` charges each, the first one from `base` on. */
interface Range {
  base: number
  span: number
}

interface Size {
  sellers: number
  charges: number
  /** Additional charges after those, all of one seller. */
  hotCharges: number
}

const clients = 16
const batch = { size: 200, atOnce: 2 }

const tables = `
  create table balances (seller bigint primary key, cents bigint not null default 0) with (fillfactor = 50);
  create table charges (
    id bigint generated always as identity primary key, seller bigint not null, cents bigint not null,
    is_paid boolean not null default false, txid text not null unique, end_to_end_id text,
    created_at timestamptz not null default now(), paid_at timestamptz
  ) with (fillfactor = 80);
  create table postings (
    id bigint generated always as identity primary key, account bigint not null, charge bigint not null, cents bigint not null,
    created_at timestamptz not null default now()
  );
  create table events (end_to_end_id text primary key, txid text not null, at timestamptz not null default now());`

/** The accounts that are no seller's: the bank's, and the platform's for its fee of R$ 1.50. */
const accounts = { bank: -1, platform: 0 }
const fee = 150

const postingsOf = (charge: string) =>
  `(${accounts.bank}, ${charge}.cents), (${charge}.seller, ${fee} - ${charge}.cents), (${accounts.platform}, -${fee})`

const next = "\\set i :i + 1\n\\set n :base + :client_id * :span + :i\n"
const [txid, endToEndId] = ["'tx' || :n", "'E' || :n"]

const transaction = `${next}begin;
insert into events (end_to_end_id, txid) values (${endToEndId}, ${txid}) on conflict do nothing;
update charges set is_paid = true, paid_at = now(), end_to_end_id = ${endToEndId} where txid = ${txid} and not is_paid
returning id as charge, seller as seller, cents as cents \\gset
insert into postings (account, charge, cents)
values (${accounts.bank}, :charge, :cents), (:seller, :charge, ${fee} - :cents), (${accounts.platform}, :charge, -${fee});
update balances set cents = cents + :cents - ${fee} where seller = :seller;
commit;
`

/** Books what `told` names, the tellings of one seller in one update. */
const booking = (told: string) => `with told as (${told}),
new as (insert into events (end_to_end_id, txid) select end_to_end_id, txid from told on conflict do nothing returning end_to_end_id, txid),
paid as (
  update charges charge set is_paid = true, paid_at = now(), end_to_end_id = new.end_to_end_id from new
  where charge.txid = new.txid and not charge.is_paid returning charge.id, charge.seller, charge.cents
),
posted as (
  insert into postings (account, charge, cents) select posting.account, paid.id, posting.cents
  from paid cross join lateral (values ${postingsOf("paid")}) posting (account, cents)
),
earned as (select seller, sum(cents - ${fee})::bigint as cents from paid group by seller)
update balances balance set cents = balance.cents + earned.cents from earned where balance.seller = earned.seller`

const statement = `${next}${booking(`select ${txid} as txid, ${endToEndId} as end_to_end_id`)};\n`
const batchStatement = {
  name: "book-batch",
  text: booking("select * from unnest($1::text[], $2::text[]) told (txid, end_to_end_id)"),
}

/**
 * In a PostgreSQL of its own with the product's settings: neither reads what the other wrote out of its memory, and the CPU
 * of the product's PostgreSQL is the product's alone.
 */
export async function openReferenceBooks(dataDir: string, size: Size): Promise<ReferenceBooks> {
  const embedded = await startEmbeddedPostgres({ dataDir, log: createLog("silent") })
  const pool = createOwnerPool(embedded.url, batch.atOnce)
  const close = async () => {
    await pool.end()
    await embedded.stop()
  }
  await seed(pool, size).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const run = (script: string, { base, span }: Range, seconds: number) =>
    pgbench({ databaseUrl: embedded.url, clients, seconds, script, variables: { base, span, i: 0 } })

  return {
    inTransactions: (range, seconds) => run(transaction, range, seconds),
    inStatements: (range, seconds) => run(statement, range, seconds),
    async inBatches(first, count) {
      const begin = performance.now()
      let at = first
      const work = async () => {
        while (at < first + count) {
          const numbers = Array.from({ length: Math.min(batch.size, first + count - at) }, () => at++)
          await pool.query({ ...batchStatement, values: [numbers.map((n) => `tx${n}`), numbers.map((n) => `E${n}`)] })
        }
      }
      await Promise.all(Array.from({ length: batch.atOnce }, work))
      return count / ((performance.now() - begin) / 1000)
    },
    rest: () => rest(pool),
    check: () => refuseWrongSums(pool),
    close,
  }
}

async function seed(pool: Pool, { sellers, charges, hotCharges }: Size): Promise<void> {
  await pool.query(tables)
  await pool.query("insert into balances (seller) select generate_series(1, $1::bigint)", [sellers + 1])
  const seller = `case when n < ${charges} then 1 + n % ${sellers} else ${sellers + 1} end`
  await pool.query(
    `insert into charges (seller, cents, txid) select ${seller}, 1000, 'tx' || n from generate_series(0, $1::bigint - 1) n`,
    [charges + hotCharges],
  )
  await pool.query("alter system set autovacuum = off")
  await pool.query("select pg_reload_conf()")
  await rest(pool)
}

async function rest(pool: Pool): Promise<void> {
  await pool.query("vacuum (analyze)")
  await pool.query("checkpoint")
}

/** Every event has to be a paid charge, sums zero, and balances equal to them. */
async function refuseWrongSums(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ wrong: number }>(`
    select (select count(*) from events) <> (select count(*) from charges where is_paid)
      or (select coalesce(sum(cents), 0) from postings) <> 0
      or (select sum(cents) from balances) <> -(select coalesce(sum(cents), 0) from postings where account > 0) as wrong`)
  if (rows[0]?.wrong) throw new Error("the reference booked wrongly, so its figures are no limit")
}
