import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import { type Block, type ChainHead, headColumns } from "./reads.ts"

/** `keyArray` is the literal of a PostgreSQL array: it comes from the database and goes back as it is. */
export type NewBlock = Omit<Block, "keys"> & { keyArray: string }

/** Undefined while another server has it locked. */
export async function tryLockHead(tx: Tx): Promise<ChainHead | undefined> {
  return tx.selectFrom("chain_head").select(headColumns).forUpdate().skipLocked().executeTakeFirst()
}

/** Waits while another server has it locked. */
export async function lockHead(tx: Tx): Promise<ChainHead> {
  return tx.selectFrom("chain_head").select(headColumns).forUpdate().executeTakeFirstOrThrow()
}

/** The caller must have locked the head. */
export async function moveHead(tx: Tx, { until, blockCount }: { until: string; blockCount: number }): Promise<void> {
  await tx.updateTable("chain_head").set({ until, block_count: blockCount }).execute()
}

/** The checkpoint of an empty chain. Has no effect where there is a note. */
export async function saveFirstNote(tx: Tx, note: string): Promise<void> {
  await tx.updateTable("chain_head").set({ note }).where("note", "is", null).execute()
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
      keys: block.keyArray,
      hashes: block.hashes,
      nodes: block.nodes,
      first_at: block.firstAt,
      last_at: block.lastAt,
    } satisfies NewRow<"chain_blocks">)
    .execute()
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
    } satisfies NewRow<"chain_checkpoints", "xid">)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
