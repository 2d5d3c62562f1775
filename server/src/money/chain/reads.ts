import { sql } from "kysely"
import type { Db } from "#db/transaction"

export interface Block {
  number: number
  sealedAt: Date
  rowCount: number
  previous: Buffer
  root: Buffer
  keys: string[]
  hashes: Buffer
  nodes: Buffer
  firstAt: Date | null
  lastAt: Date | null
}

export interface ChainHead {
  /** The last transaction that is sealed. */
  until: string
  blockCount: number
  note: string | null
}

export const headColumns = ["until", "block_count as blockCount", "note"] as const

export async function readHead(db: Db): Promise<ChainHead> {
  return db.selectFrom("chain_head").select(headColumns).executeTakeFirstOrThrow()
}

const blockColumns = [
  "number",
  "sealed_at as sealedAt",
  "row_count as rowCount",
  "previous",
  "root",
  "keys",
  "hashes",
  "nodes",
  "first_at as firstAt",
  "last_at as lastAt",
] as const

export async function readBlocks(db: Db, { from, to }: { from: number; to: number }): Promise<Block[]> {
  const blocks = db.selectFrom("chain_blocks").select(blockColumns).where("number", ">=", from).where("number", "<", to)
  return blocks.orderBy("number").execute()
}

export async function findNodes(db: Db, numbers: readonly number[]): Promise<Map<number, Buffer>> {
  if (numbers.length === 0) return new Map()
  const blocks = db.selectFrom("chain_blocks").select(["number", "nodes"]).where("number", "in", numbers)
  return new Map((await blocks.execute()).map(({ number, nodes }) => [number, nodes]))
}

/** Blocks that may hold a booking of one of these moments. */
export async function findBlocksAt(db: Db, moments: readonly Date[]): Promise<Block[]> {
  const { rows } = await sql<Block>`
    select distinct on (block.number)
      block.number, block.sealed_at as "sealedAt", block.row_count as "rowCount", block.previous, block.root, block.keys,
      block.hashes, block.nodes, block.first_at as "firstAt", block.last_at as "lastAt"
    from unnest(${moments}::timestamptz[]) asked (at)
    join chain_blocks block
      on block.first_at is not null and tstzrange(block.first_at, block.last_at, '[]') @> asked.at
    order by block.number`.execute(db)
  return rows
}

/** Keys that stand more than once in the first blocks, with the numbers of these, so many at most. */
export async function findSealedTwice(
  db: Db,
  { blockCount, limit }: { blockCount: number; limit: number },
): Promise<{ key: string; numbers: string }[]> {
  const { rows } = await sql<{ key: string; numbers: string }>`
    select key, string_agg(number::text, ', ' order by number) as numbers
    from (select unnest(keys) collate "C" as key, number from chain_blocks where number < ${blockCount}) sealed
    group by key having count(*) > 1 order by key limit ${limit}`.execute(db)
  return rows
}

/** The oldest first, after this day. */
export async function readCheckpoints(db: Db, after: string, limit: number) {
  const checkpoints = db.selectFrom("chain_checkpoints").select(["day", "note"]).where("day", ">", after)
  return checkpoints.orderBy("day").limit(limit).execute()
}

/** The latest first. */
export async function readLatestCheckpoints(db: Db, limit: number): Promise<string[]> {
  const notes = await db.selectFrom("chain_checkpoints").select("note").orderBy("day", "desc").limit(limit).execute()
  return notes.map(({ note }) => note)
}

export async function findLastCheckpointDay(db: Db): Promise<string | null> {
  const last = db.selectFrom("chain_checkpoints").select("day").orderBy("day", "desc").limit(1)
  return (await last.executeTakeFirst())?.day ?? null
}

/** The first key signs the empty chain: from then on there is a checkpoint. */
export async function hasCheckpointKey(db: Db): Promise<boolean> {
  const key = db.selectFrom("signing_keys").select("id").where("purpose", "=", "checkpoint").limit(1)
  return (await key.executeTakeFirst()) !== undefined
}

/** True where people or the platform did something in this time. */
export async function hasAuditRecords(db: Db, { from, to }: { from: Date; to: Date }): Promise<boolean> {
  const records = db
    .selectFrom("audit_records")
    .select("id")
    .where("happened_at", ">", from)
    .where("happened_at", "<", to)
  return (await records.limit(1).executeTakeFirst()) !== undefined
}

/** The moment at which a row of each sealed table was written. */
const writtenAt = {
  audit_records: "happened_at",
  journal: "booked_at",
  manual_entries: "created_at",
  payments: "received_at",
  refunds: "created_at",
  withdrawals: "created_at",
} as const

/** True when a row that is not sealed yet was written before this moment. */
export async function waitsSince(db: Db, moment: Date): Promise<boolean> {
  const oldest = Object.entries(writtenAt).map(
    ([table, column]) => sql`
      (select ${sql.ref(column)} as at from ${sql.table(table)}
       where xid > (select until from chain_head) order by xid limit 1)`,
  )
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from (${sql.join(oldest, sql` union all `)}) oldest where at < ${moment}) as waits
  `.execute(db)
  return rows[0]?.waits ?? false
}
