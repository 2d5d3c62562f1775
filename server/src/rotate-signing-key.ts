import { connectEmbedded } from "#db/embedded-postgres"
import { createPool } from "#db/pool"
import { createDb } from "#db/transaction"
import { rotateSigningKey } from "#domain/platform/signing-keys/rotate-signing-key"
import { systemClock } from "#kit/clock"
import { createLog } from "#kit/log"
import { StartError } from "#kit/start-error"
import { readEnv } from "./env.ts"
import { openSecretKeys } from "./secrets-file.ts"

/** `npm run signing-keys:rotate -- checkpoint|receipt`, beside running servers: they sign with the new key within seconds. */
async function main(): Promise<void> {
  const [purpose] = process.argv.slice(2)
  if (purpose !== "checkpoint" && purpose !== "receipt") {
    throw new StartError("Uso: npm run signing-keys:rotate -- checkpoint|receipt")
  }
  const env = readEnv(process.env)
  const log = createLog("silent")
  const embedded = env.databaseUrl === null ? await connectEmbedded({ dataDir: env.dataDir, log }) : null
  const pool = createPool({ url: env.databaseUrl ?? embedded?.url ?? "", max: 1, applicationName: "signing keys" })
  try {
    const secretKeys = await openSecretKeys(env)
    const id = await rotateSigningKey({ db: createDb(pool), clock: systemClock, secretKeys }, purpose)
    process.stdout.write(`A chave ${id} assina a partir de agora; as anteriores continuam publicadas.\n`)
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
