import { join } from "node:path"
import { startSimulator } from "@tilinta/simulator/start-simulator"
import { startEmbeddedPostgres } from "#db/embedded-postgres"
import { migrate } from "#db/migrate"
import { createPool } from "#db/pools"
import { openServingRoute } from "#db/roles"
import { createDb } from "#db/transaction"
import { emailOf } from "#demo/open-shops"
import { fillDemo, isToBeFilled } from "#demo/play-story"
import { demoSellers } from "#demo/sellers"
import { createAgenda, openSandboxBank } from "#demo/story"
import { daysAfter, saoPauloDay, systemClock } from "#kit/clock"
import { StartError } from "#kit/errors"
import type { Logger } from "#kit/log"
import { holdOrderKeys } from "#platform/order-macs/macs"
import { ensureMoneyKind } from "#platform/system/node"
import { connectSimulator } from "#psp/connect-psp"
import type { Env } from "./env.ts"
import { openSecretKeys } from "./secrets-file.ts"
import { createShutdown, type Shutdown } from "./shutdown.ts"

export interface DemoLogins {
  admin: { email: string; password: string }
  seller: { email: string; password: string }
}

const historyDays = 90
const password = "demonstracao"

/** Fills the database once, and stops everything it started for that; the server is then started as usual. */
export async function fillDemoOnce(env: Env, { days = historyDays, ...how }: How): Promise<DemoLogins> {
  const provider: string = env.pixProvider
  if (provider !== "simulator") throw new StartError("PIX_PROVIDER: a demonstração só anda com o simulador.")
  if (env.simulator.url !== null) {
    throw new StartError("SIMULATOR_URL: a demonstração preenche o seu próprio simulador; tire esta variável.")
  }
  const [star] = demoSellers
  const logins: DemoLogins = {
    admin: { email: env.adminEmail ?? "admin@localhost", password: env.adminPassword ?? password },
    seller: { email: star === undefined ? "" : emailOf(star), password },
  }
  const shutdown = createShutdown(how.log)
  try {
    await fill({ ...how, env, shutdown, logins, days })
  } finally {
    await shutdown.stopAll()
  }
  return logins
}

interface How {
  log: Logger
  signal: AbortSignal
  /** Called when filling begins, which takes a while. */
  onFilling: () => void
  days?: number
}

interface Filling extends Required<How> {
  env: Env
  shutdown: Shutdown
  logins: DemoLogins
}

async function fill({ env, log, shutdown, signal, onFilling, logins, days }: Filling): Promise<void> {
  const databaseUrl = env.databaseUrl ?? (await startOwnPostgres({ env, log, shutdown }))
  signal.throwIfAborted()
  await migrate({ ownerUrl: databaseUrl, log })
  // A crash spoils the filling anyway, so commits don't wait for the disk.
  const settings = ["synchronous_commit=off"]
  const route = await openServingRoute({ ownerUrl: databaseUrl, log })
  const pool = createPool({ url: route, max: 4, applicationName: "tilinta demo", log, settings })
  shutdown.add({ name: "database connections", limitMs: 500, stop: () => pool.end() })
  const db = createDb(pool)
  await ensureMoneyKind({ db, clock: systemClock }, "sandbox")
  if (!(await isToBeFilled(db))) return

  holdOrderKeys({ secretKeys: await openSecretKeys(env), log })
  onFilling()
  const end = new Date()
  const start = new Date(`${daysAfter(saoPauloDay(end), -days)}T03:00:00Z`)
  const agenda = createAgenda({ start, end, signal })
  const { clientId, clientSecret } = env.simulator
  const simulator = await startSimulator({
    port: 0,
    dataDir: join(env.dataDir, "simulator"),
    clientId,
    clientSecret,
    now: () => agenda.clock.now().getTime(),
    isDurable: false,
  })
  shutdown.add({ name: "simulator", limitMs: 700, stop: () => simulator.stop() })
  // Days of the story pass within milliseconds, so the bank's clock can't be carried on from its last answer.
  const bankTime = () => agenda.clock.now()
  const psp = { ...connectSimulator({ ...env.simulator, ...simulator }, log), bankTime }
  const bank = openSandboxBank(simulator.url)
  const { admin, seller } = logins
  const { publicUrl } = env
  await fillDemo({ db, psp, log, agenda, bank, start, end, admin, sellersPassword: seller.password, publicUrl })
}

async function startOwnPostgres({ env, log, shutdown }: Pick<Filling, "env" | "log" | "shutdown">): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: env.dataDir, log })
  shutdown.add({ name: "embedded database", limitMs: 10_000, stop: () => postgres.stop() })
  return postgres.url
}
