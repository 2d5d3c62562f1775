import { connectEmbedded } from "#db/embedded-postgres"
import { createPool } from "#db/pool"
import { createDb } from "#db/transaction"
import { systemClock } from "#kit/clock"
import { createLog } from "#kit/log"
import { StartError } from "#kit/start-error"
import { readEnv } from "./env.ts"
import { resealEverything } from "./reseal-everything.ts"
import { addKeyToFile, openSecretKeys } from "./secrets-file.ts"

/**
 * `npm run secrets:rotate`: seals every secret again with the first key of SECRETS_KEY; without that variable it first
 * puts a new key into the file in DATA_DIR. Servers keep running: they hold the old key, too.
 */
async function main(): Promise<void> {
  const env = readEnv(process.env)
  const log = createLog("silent")
  const embedded = env.databaseUrl === null ? await connectEmbedded({ dataDir: env.dataDir, log }) : null
  const pool = createPool({ url: env.databaseUrl ?? embedded?.url ?? "", max: 1, applicationName: "secrets" })
  try {
    const secretKeys = await openSecretKeys(env)
    if (env.secretsKey === null) await addKeyToFile(env.dataDir)
    const count = await resealEverything({ db: createDb(pool), clock: systemClock, secretKeys })
    process.stdout.write(`Segredos guardados com a nova chave (${secretKeys()[0].id}): ${count}.\n`)
  } finally {
    await pool.end()
    await embedded?.stop()
  }
}

main().catch((error: unknown) => {
  const line = error instanceof StartError ? error.message : `A troca da chave falhou: ${String(error)}`
  process.stderr.write(`${line}\n`)
  process.exitCode = 1
})
