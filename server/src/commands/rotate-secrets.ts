import { systemClock } from "#kit/clock"
import { type Env, readEnv } from "#start/env"
import { addKeyToFile, openSecretKeys, resealEverything } from "#start/secrets-file"
import { withOwnDatabase } from "./own-database.ts"
import { runCommand } from "./run-command.ts"

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
