import { join } from "node:path"
import { startEmbeddedPostgres } from "../../server/src/db/embedded-postgres.ts"
import { migrate } from "../../server/src/db/migrate.ts"
import { createPool } from "../../server/src/db/pools.ts"
import { createLog } from "../../server/src/kit/log.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "../crash-tests/server-process.ts"
import { type Bank, startBank } from "./bank/bank.ts"
import { postmasterOf } from "./process-figures.ts"
import { seedMarket } from "./seed-market.ts"

/**
 * PostgreSQL, a bank and servers of the product as shipped, with sellers whose open charges can be paid. Charge `n`
 * belongs to seller `n % sellers`, and its number determines its name and amount.
 */
export interface Market {
  workshop: Workshop
  databaseUrl: string
  /** Runs as the owner, for seeding and counting. */
  query: Query
  /** The current postmaster's pid; it changes when PostgreSQL is killed and restarted. */
  postmaster(): number
  bank: Bank
  startServer(env?: Record<string, string>): Promise<ServerProcess>
  /** The address for this server's payment webhooks. */
  webhookOf(server: ServerProcess): Promise<{ port: number; path: string }>
  close(): Promise<void>
}

export interface MarketSize {
  sellers: number
  charges: number
  /** Additional charges after those, all of the first seller. */
  hotCharges?: number
  /** Additional charges after those, each on a page of its own that takes one payment, as pages do by default. */
  onceCharges?: number
}

export type Query = <Row extends object>(text: string) => Promise<Row[]>

const log = createLog("silent")

export async function openMarket(size: MarketSize): Promise<Market> {
  const workshop = await openWorkshop()
  const dataDir = await workshop.newFolder()
  const embedded = await startEmbeddedPostgres({ dataDir, log })
  await migrate({ ownerUrl: embedded.url, log })
  const settings = { statementMs: 20 * 60_000, silenceMs: 20 * 60_000 }
  const pool = createPool({ url: embedded.url, max: 1, applicationName: "bench", ...settings })
  async function query<Row extends object>(text: string): Promise<Row[]> {
    const session = await pool.connect()
    try {
      await session.query("set role none")
      return (await session.query<Row>(text)).rows
    } finally {
      session.release()
    }
  }
  await seedMarket(query, size)
  const bank = await startBank()
  const [cluster] = await query<{ folder: string }>("select current_setting('data_directory') as folder")

  return {
    workshop,
    databaseUrl: embedded.url,
    query,
    postmaster: () => postmasterOf(cluster?.folder ?? dataDir),
    bank,
    async startServer(env = {}) {
      const folder = await workshop.newFolder()
      return workshop.startServer({
        dataDir: folder,
        logFile: join(folder, "log"),
        env: {
          DATABASE_URL: embedded.url,
          SIMULATOR_URL: bank.url,
          SIMULATOR_RECEIVER_KEY: "bench@bank.example",
          LOG_LEVEL: "info",
          TRUSTED_PROXIES: "127.0.0.1",
          ...env,
        },
      })
    },
    async webhookOf(server) {
      const [connection] = await query<{ webhook_secret: string }>("select webhook_secret from psp_connections")
      const path = `/webhooks/simulator/${connection?.webhook_secret}/pix`
      return { port: Number(new URL(server.url).port), path }
    },
    async close() {
      bank.stop()
      await pool.end()
      await embedded.stop()
      await workshop.close()
    },
  }
}
