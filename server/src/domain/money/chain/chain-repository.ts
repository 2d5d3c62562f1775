import { sql } from "kysely"
import type { NewRow } from "#db/row-types"
import type { Db, Tx } from "#db/transaction"

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

/** Its keys are the text of PostgreSQL's array. */
export type NewBlock = Omit<Block, "keys"> & { keys: string }

export interface Head {
  /** The last transaction that is sealed. */
  until: string
  blockCount: number
  note: string | null
}

const headColumns = ["until", "block_count as blockCount", "note"] as const

export async function readHead(db: Db): Promise<Head> {
  return db.selectFrom("chain_head").select(headColumns).executeTakeFirstOrThrow()
}

/** Undefined while another server seals. */
export async function lockHead(tx: Tx): Promise<Head | undefined> {
  return tx.selectFrom("chain_head").select(headColumns).forUpdate().skipLocked().executeTakeFirst()
}

/** Waits for a server that seals. */
export async function holdHead(tx: Tx): Promise<Head> {
  return tx.selectFrom("chain_head").select(headColumns).forUpdate().executeTakeFirstOrThrow()
}

/** The caller must have locked the head. */
export async function moveHead(tx: Tx, { until, blockCount }: { until: string; blockCount: number }): Promise<void> {
  await tx.updateTable("chain_head").set({ until, block_count: blockCount }).execute()
}

export async function saveNote(tx: Tx, note: string): Promise<void> {
  await tx.updateTable("chain_head").set({ note }).execute()
}

export async function insertBlock(tx: Tx, block: NewBlock): Promise<void> {
  await tx
    .insertInto("chain_blocks")
    .values({
      number: block.number,
      sealed_at: block.sealedAt,
      row_count: block.rowCount,
      previous: block.previous,
      root: block.root,
      keys: block.keys,
      hashes: block.hashes,
      nodes: block.nodes,
      first_at: block.firstAt,
      last_at: block.lastAt,
    } satisfies NewRow<"chain_blocks">)
    .execute()
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

/** False where this day has one already. */
export async function insertCheckpointOnce(
  tx: Tx,
  checkpoint: { day: string; note: string; now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("chain_checkpoints")
    .values({
      day: checkpoint.day,
      note: checkpoint.note,
      signed_at: checkpoint.now,
    } satisfies NewRow<"chain_checkpoints">)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
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
