import type { Tx } from "#db/transaction"
import type { SecretKeys } from "#kit/secret-box"
import { lockSealedOtherwise, saveResealed } from "./return-origins-repository.ts"
import { openSigningKey, sealSigningKey } from "./signing-key-box.ts"

export async function resealSigningKeys(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  const old = await lockSealedOtherwise(tx, secretKeys()[0].id)
  for (const { sellerId, sealed } of old) {
    const signingKey = openSigningKey(secretKeys, sellerId, sealed)
    await saveResealed(tx, { sellerId, sealed: sealSigningKey(secretKeys, sellerId, signingKey) })
  }
  return old.length
}
