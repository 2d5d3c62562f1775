import type { Tx } from "#db/transaction"
import type { Sealed, SecretKeys } from "#kit/secret-box"
import { sealWebhookSecret, webhookSecretOpener } from "./webhook-box.ts"
import { lockSealedOtherwise, saveResealed } from "./webhooks-repository.ts"

/** The number of endpoints. */
export async function resealWebhookSecrets(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  const open = webhookSecretOpener(secretKeys)
  const old = await lockSealedOtherwise(tx, secretKeys()[0].id)
  for (const { endpointId, keyId, box, formerKeyId, formerBox } of old) {
    const reseal = (sealed: Sealed) => sealWebhookSecret(secretKeys, endpointId, open(endpointId, sealed))
    const former = formerKeyId === null || formerBox === null ? null : reseal({ keyId: formerKeyId, box: formerBox })
    await saveResealed(tx, endpointId, { present: reseal({ keyId, box }), former })
  }
  return old.length
}
