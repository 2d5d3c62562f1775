import { createHash } from "node:crypto"
import type { Db } from "#db/transaction"
import { readBlocks } from "./chain-repository.ts"
import { readKeys, sealedTableNames } from "./sealed-rows-repository.ts"

interface Chain {
  until: string
  blockCount: number
}

const KEYS_AT_ONCE = 5_000
const BLOCKS_AT_ONCE = 20
/** Keys are compared in parts, so that memory stays the same however many rows there are. */
const PARTS = 16

/** Keys of rows that claim to be of a sealed transaction, and which no block holds. */
export async function* findInserted(db: Db, { until, blockCount }: Chain): AsyncGenerator<string> {
  for (let part = 0; part < PARTS; part += 1) {
    const sealed = await sealedKeys(db, blockCount, part)
    for (const name of sealedTableNames) {
      for await (const key of keysOf(db, { name, until })) {
        const { digest, part: own } = digestOf(key)
        if (own === part && !sealed.has(digest)) yield key
      }
    }
  }
}

async function sealedKeys(db: Db, blockCount: number, part: number): Promise<Set<bigint>> {
  const sealed = new Set<bigint>()
  for (let from = 0; from < blockCount; from += BLOCKS_AT_ONCE) {
    for (const { keys } of await readBlocks(db, { from, to: from + BLOCKS_AT_ONCE })) {
      for (const key of keys) {
        const { digest, part: own } = digestOf(key)
        if (own === part) sealed.add(digest)
      }
    }
  }
  return sealed
}

function digestOf(key: string): { digest: bigint; part: number } {
  const bytes = createHash("sha256").update(key).digest()
  return { digest: bytes.readBigUInt64BE(), part: bytes.readUInt8(8) % PARTS }
}

async function* keysOf(db: Db, { name, until }: { name: string; until: string }): AsyncGenerator<string> {
  let after: string | null = null
  do {
    const keys: string[] = await readKeys(db, { name, until, after, limit: KEYS_AT_ONCE })
    yield* keys
    after = keys.length < KEYS_AT_ONCE ? null : (keys.at(-1) ?? null)
  } while (after !== null)
}
