import { newestMigration } from "#db/migrate"
import type { Db } from "#db/transaction"
import { systemClock } from "#kit/clock"
import { createLog } from "#kit/log"
import { watchMachine } from "#kit/machine"
import { connectByName } from "#psp/connect-psp"
import { type Env, readEnv } from "#start/env"
import { exposesBackups } from "#start/start-warnings"
import { examine, printFindings } from "./examine.ts"
import { runCommand, withOwnDatabase } from "./run-command.ts"

/** `npm run doctor`: the state of the installation, while the server runs. Exit 1 when something needs a person. */
async function run(): Promise<number> {
  const env = readEnv(process.env)
  return withOwnDatabase(env, { max: 2, applicationName: "doctor" }, (db) => printState(env, db))
}

async function printState(env: Env, db: Db): Promise<number> {
  const bank = connectByName[env.pixProvider]?.(env.pix, createLog("silent")) ?? null
  const findings = examine({
    db,
    provider: bank?.name ?? "simulator",
    now: systemClock.now(),
    facts: await watchMachine({ ...env, clock: systemClock }).read(),
    bankCertificateEndsAt: bank?.certificateEndsAt ?? null,
    newestMigration: await newestMigration(),
    makesBackups: env.backupDir !== null,
    exposesBackups: exposesBackups(env),
  })
  const failures = await printFindings(findings, (line) => void process.stdout.write(`${line}\n`))
  return failures === 0 ? 0 : 1
}

await runCommand({ usage: "Uso: npm run doctor", failure: "✗ Banco de dados", run })
