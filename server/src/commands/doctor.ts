import type { Db } from "#db/transaction"
import { systemClock } from "#kit/clock"
import { createLog } from "#kit/log"
import { watchMachine } from "#kit/machine"
import { readSystemFacts } from "#overviews/system-status/status"
import { connectByName } from "#psp/connect-psp"
import { type Env, readEnv } from "#start/env"
import { backupPlanOf } from "#start/start-warnings"
import { reportOf } from "./examine.ts"
import { withOwnDatabase } from "./own-database.ts"
import { runCommand } from "./run-command.ts"

/** `npm run doctor`: what the screen Sistema says. Exit 1 where real money is in danger; a warning alone is 0. */
async function run(): Promise<number> {
  const env = readEnv(process.env)
  return withOwnDatabase(env, { max: 2, applicationName: "doctor" }, (db) => printState(env, db))
}

async function printState(env: Env, db: Db): Promise<number> {
  const bank = connectByName[env.pixProvider]?.(env.pix, createLog("silent"))
  const facts = await readSystemFacts({
    db,
    clock: systemClock,
    psp: bank ?? { name: "simulator", certificateEndsAt: null },
    protection: env.protection,
    backups: backupPlanOf(env),
    machine: watchMachine({ ...env, clock: systemClock }),
  })
  const { lines, exitCode } = reportOf(facts)
  process.stdout.write(`${lines.join("\n")}\n`)
  return exitCode
}

await runCommand({ usage: "Uso: npm run doctor", failure: "✗ Banco de dados", run })
