import type { Tx } from "#db/transaction"
import type { SecretKeys } from "#kit/secret-box"
import { resealKey } from "./key-pair.ts"
import { lockKeysSealedOtherwise, saveResealed } from "./signing-keys-repository.ts"

export async function resealPrivateKeys(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  const old = await lockKeysSealedOtherwise(tx, secretKeys()[0].id)
  for (const stored of old) await saveResealed(tx, stored.id, resealKey(secretKeys, stored))
  return old.length
}
