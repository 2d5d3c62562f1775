import { connectEmbedded } from "#db/embedded-postgres"
import { newestMigration } from "#db/migrate"
import { createPool } from "#db/pool"
import { createDb } from "#db/transaction"
import { systemClock } from "#kit/clock"
import { createLog } from "#kit/log"
import { watchMachine } from "#kit/machine"
import { StartError } from "#kit/start-error"
import { connectByName } from "#psp/connect-psp"
import { tellFindings } from "./bank-findings.ts"
import { readEnv } from "./env.ts"
import { examine } from "./examine.ts"

/** `npm run doctor`: the state of the installation, beside the running server. Exit 1 when something needs a person. */
async function main(): Promise<number> {
  const env = readEnv(process.env)
  const log = createLog("silent")
  const bank = connectByName[env.pixProvider]?.(env.pix, log) ?? null
  const facts = await watchMachine({ ...env, clock: systemClock }).read()
  const embedded = env.databaseUrl === null ? await connectEmbedded({ dataDir: env.dataDir, log }) : null
  const pool = createPool({ url: env.databaseUrl ?? embedded?.url ?? "", max: 2, applicationName: "doctor" })
  try {
    const findings = examine({
      ...{ db: createDb(pool), provider: bank?.name ?? "simulator", facts, now: systemClock.now() },
      ...{ bankCertificateEndsAt: bank?.certificateEndsAt ?? null, newestMigration: await newestMigration() },
      makesBackups: env.backupDir !== null,
    })
    const failures = await tellFindings(findings, (line) => void process.stdout.write(`${line}\n`))
    return failures === 0 ? 0 : 1
  } finally {
    await pool.end()
    await embedded?.stop()
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const line = error instanceof StartError ? error.message : `✗ Banco de dados: ${String(error)}`
    process.stderr.write(`${line}\n`)
    process.exit(1)
  },
)
