import type { Tx } from "#db/transaction"
import type { SecretKeys } from "#kit/secret-box"
import { lockTotpsSealedOtherwise, saveResealed } from "./second-factors-repository.ts"
import { openTotp, sealTotp } from "./totp-box.ts"

export async function resealTotps(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  const old = await lockTotpsSealedOtherwise(tx, secretKeys()[0].id)
  for (const stored of old) await saveResealed(tx, sealTotp(secretKeys, stored, openTotp(secretKeys, stored)))
  return old.length
}
