import type { Db } from "#db/transaction"
import { resealWebhookSecrets } from "#integrations/webhooks/secrets"
import { type Clock, systemClock } from "#kit/clock"
import type { SecretKeys } from "#kit/secrets"
import { resealPrivateKeys } from "#money/chain/keys"
import { resealTotps } from "#people/second-factors/totp"
import { resealSecrets } from "#platform/system/sealing-key"
import { resealSigningKeys } from "#selling/return-origins/origins"
import { type Env, readEnv } from "#start/env"
import { addKeyToFile, openSecretKeys } from "#start/secrets-file"
import { runCommand, withOwnDatabase } from "./run-command.ts"

/**
 * `npm run secrets:rotate`: seals every secret again with the first key of SECRETS_KEY; without that variable it first
 * puts a new key into the file in DATA_DIR. Servers keep running: they hold the old key, too.
 */
async function run(): Promise<number> {
  const env = readEnv(process.env)
  return withOwnDatabase(env, { max: 1, applicationName: "secrets" }, (db) => rotate(env, db))
}

async function rotate(env: Env, db: Parameters<typeof resealEverything>[0]["db"]): Promise<number> {
  const secretKeys = await openSecretKeys(env)
  if (env.secretsKey === null) await addKeyToFile(env.dataDir)
  const count = await resealEverything({ db, clock: systemClock, secretKeys })
  process.stdout.write(`Segredos guardados com a nova chave (${secretKeys()[0].id}): ${count}.\n`)
  return 0
}

await runCommand({ usage: "Uso: npm run secrets:rotate", failure: "A troca da chave falhou", run })

/** The number of secrets that another key than the first had sealed. */
export async function resealEverything(deps: { db: Db; clock: Clock; secretKeys: SecretKeys }): Promise<number> {
  return resealSecrets(deps, [resealTotps, resealPrivateKeys, resealSigningKeys, resealWebhookSecrets])
}
