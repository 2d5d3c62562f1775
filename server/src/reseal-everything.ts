import type { Db } from "#db/transaction"
import { resealWebhookSecrets } from "#domain/integrations/webhooks/reseal-webhook-secrets"
import { resealTotps } from "#domain/people/second-factors/reseal-totps"
import { resealSecrets } from "#domain/platform/sealing/sealing-key"
import { resealPrivateKeys } from "#domain/platform/signing-keys/reseal-private-keys"
import { resealSigningKeys } from "#domain/selling/return-origins/reseal-signing-keys"
import type { Clock } from "#kit/clock"
import type { SecretKeys } from "#kit/secret-box"

/** The number of secrets that another key than the first had sealed. */
export async function resealEverything(deps: { db: Db; clock: Clock; secretKeys: SecretKeys }): Promise<number> {
  return resealSecrets(deps, [resealTotps, resealPrivateKeys, resealSigningKeys, resealWebhookSecrets])
}
