import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { readHead } from "./chain-repository.ts"
import { readConsistency } from "./read-proofs.ts"

/** Null until the first one is signed, seconds after the first start. */
export async function readCheckpoint(db: Db): Promise<string | null> {
  return (await readHead(db)).note
}

/** The proof that the tree of one size begins with the tree of a smaller one. */
export async function readConsistencyOf(db: Db, sizes: { smaller: number; size: number }): Promise<Buffer[]> {
  const { blockCount } = await readHead(db)
  if (sizes.smaller > sizes.size || sizes.size > blockCount) throw new DomainError("not_found")
  return readConsistency(db, sizes.smaller, sizes.size)
}
