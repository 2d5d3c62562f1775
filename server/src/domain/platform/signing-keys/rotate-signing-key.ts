import type { Db, Tx } from "#db/transaction"
import { requireSharedKey } from "#domain/platform/sealing/sealing-key"
import type { Clock } from "#kit/clock"
import type { SecretKeys } from "#kit/secret-box"
import { newKey } from "./key-pair.ts"
import { insertKeyOnce, retireKeys, type SigningPurpose } from "./signing-keys-repository.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
}

/** The id of the key that signs from now on. What the former one signed stays good: its public key stays published. */
export async function rotateSigningKey(deps: Deps, purpose: SigningPurpose): Promise<string> {
  return deps.db.transaction().execute((tx) => replaceKey(tx, deps, purpose))
}

async function replaceKey(tx: Tx, { clock, secretKeys }: Deps, purpose: SigningPurpose): Promise<string> {
  await requireSharedKey(tx, secretKeys)
  const key = newKey(secretKeys, purpose, clock.now())
  await retireKeys(tx, purpose, clock.now())
  // A rotation at the same moment may have committed its key meanwhile: that one is retired as well.
  while (!(await insertKeyOnce(tx, key))) await retireKeys(tx, purpose, clock.now())
  return key.id
}
