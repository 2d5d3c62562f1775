import { createPool } from "../../server/src/db/pools.ts"

const connect = (pool: ReturnType<typeof createPool>) => pool.connect()
export type Session = Awaited<ReturnType<typeof connect>>

type Work = (session: Session) => Promise<unknown>

/** A new cluster has had more transactions than these when its seeding begins. */
const xidOfNewCluster = 503
/** Some seventy payments in a transaction, where the product books at most two hundred. */
const chargesOfTransaction = 100

/** Each transaction of the year has a number that the cluster has given out. */
export function lastSeededXid(charges: number): number {
  return xidOfNewCluster + Math.ceil(charges / chargesOfTransaction)
}

export async function spendTransactions(session: Session, charges: number): Promise<void> {
  await session.query(`do $$ begin
    for n in 1..${Math.ceil(charges / chargesOfTransaction)} loop perform pg_current_xact_id(); commit; end loop;
  end $$`)
}

const hours = 3 * 60 * 60_000

/** A session of the owner without statement timeouts. */
export async function inBulkSession<Result>(
  url: string,
  work: (session: Session) => Promise<Result>,
  lastXid = xidOfNewCluster,
): Promise<Result> {
  const pool = createPool({ url, max: 1, applicationName: "bench", statementMs: hours, silenceMs: hours })
  const session = await connect(pool)
  try {
    await session.query(`
      set role none;  set synchronous_commit = off; set synchronize_seqscans = off; set jit = off; set lock_timeout = 0;
      set work_mem = '256MB'; set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2`)
    await createSeedFunctions(session, lastXid)
    return await work(session)
  } finally {
    session.release(true)
    await pool.end()
  }
}

export async function inTransaction(session: Session, work: Work): Promise<void> {
  await session.query("begin")
  await work(session)
  await session.query("commit")
}

/** Starts the works in the given order, on this many sessions at once. */
export async function inLanes(url: string, lanes: number, works: readonly Work[], lastXid?: number): Promise<void> {
  const waiting = works.values()
  const lane = () =>
    inBulkSession(
      url,
      async (session) => {
        for (const work of waiting) await work(session)
      },
      lastXid,
    )
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** Deterministic random functions; ids are UUIDv7 of their time, like the product's own; transactions are older than the seeding's. */
async function createSeedFunctions(session: Session, lastXid: number): Promise<void> {
  await session.query(`
    create function pg_temp.part(n bigint, salt bigint) returns float8 language sql immutable parallel safe
    return (hashint8extended(n, salt) & 9007199254740991)::float8 / 9007199254740992::float8;

    create function pg_temp.id_at(at timestamptz, kind text, n bigint) returns uuid language sql immutable parallel safe
    return (
      lpad(to_hex(((date_part('epoch', at) * 1000)::bigint << 16) + 28672 + (hashint8extended(n, hashtext(kind)) & 4095)), 16, '0')
      || '8' || lpad(to_hex(hashint8extended(n, hashtext(kind) + 1) & 1152921504606846975), 15, '0')
    )::uuid;

    create function pg_temp.xid_at(at timestamptz) returns xid8 language sql stable parallel safe
    return greatest(3, least(${lastXid}, ${lastXid} - floor(
      (${lastXid} - 3) * date_part('epoch', now() - at) / date_part('epoch', interval '365 days'))
    ))::text::xid8`)
}
