import type { Db, Tx } from "#db/transaction"
import { requireSharedKey } from "#domain/platform/sealing/sealing-key"
import type { Clock } from "#kit/clock"
import type { SecretKeys } from "#kit/secret-box"
import { newKey } from "./key-pair.ts"
import { findKeys, insertKeyOnce, type SigningPurpose } from "./signing-keys-repository.ts"

const purposes: readonly SigningPurpose[] = ["checkpoint", "receipt"]

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

/** Makes the keys at the first start. Of two nodes that start at once one makes them. */
export async function ensureSigningKeys({ db, clock, secretKeys }: Deps): Promise<void> {
  await db.transaction().execute((tx) => makeMissing(tx, secretKeys, clock.now()))
}

async function makeMissing(tx: Tx, secretKeys: SecretKeys, now: Date): Promise<void> {
  for (const purpose of purposes) {
    if ((await findKeys(tx, purpose)).some(({ retiredAt }) => retiredAt === null)) continue
    await requireSharedKey(tx, secretKeys)
    await insertKeyOnce(tx, newKey(secretKeys, purpose, now))
  }
}
