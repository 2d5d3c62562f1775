import { join } from "node:path"
import { openWorkshop, type ServerProcess, type Workshop } from "../../server/crash-tests/server-process.ts"
import { connectEmbedded } from "../../server/src/db/embedded-postgres.ts"
import { migrate } from "../../server/src/db/migrate.ts"
import { createPool } from "../../server/src/db/pool.ts"
import { createLog } from "../../server/src/kit/log.ts"
import { type Bank, startBank } from "./bank/bank.ts"
import { postmasterOf } from "./process-figures.ts"
import { seedMarket } from "./seed-market.ts"

/**
 * PostgreSQL, a bank, and servers of the product as shipped, with sellers whose open charges wait to be paid.
 * Charge `n` belongs to seller `n % sellers`; what it is called and what it costs is told by its number.
 */
export interface Market {
  workshop: Workshop
  databaseUrl: string
  /** As the owner, for seeding and counting. */
  session: Session
  postmaster: number
  bank: Bank
  startServer(env?: Record<string, string>): Promise<ServerProcess>
  /** Where the bank tells this server of payments. */
  webhookOf(server: ServerProcess): Promise<{ port: number; path: string }>
  close(): Promise<void>
}

export interface MarketSize {
  sellers: number
  charges: number
  /** As many more after them, all of the first seller. */
  hotCharges?: number
}

const log = createLog("error")

export type Session = Awaited<ReturnType<typeof openSession>>["session"]

async function openSession(url: string) {
  const settings = { statementMs: 20 * 60_000, silenceMs: 20 * 60_000 }
  const pool = createPool({ url, max: 1, applicationName: "bench", ...settings })
  const session = await pool.connect()
  await session.query("set role none")
  return {
    session,
    close() {
      session.release(true)
      return pool.end()
    },
  }
}

export async function openMarket(size: MarketSize): Promise<Market> {
  const workshop = await openWorkshop()
  const dataDir = await workshop.newFolder()
  const embedded = await connectEmbedded({ dataDir, log })
  await migrate({ ownerUrl: embedded.url, log })
  const { session, close } = await openSession(embedded.url)
  await seedMarket(session, size)
  const bank = await startBank()
  const { rows } = await session.query<{ data_directory: string }>("show data_directory")

  return {
    workshop,
    databaseUrl: embedded.url,
    session,
    postmaster: postmasterOf(rows[0]?.data_directory ?? join(dataDir, "postgres")),
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
      const found = await session.query<{ webhook_secret: string }>("select webhook_secret from psp_connections")
      const path = `/webhooks/simulator/${found.rows[0]?.webhook_secret}/pix`
      return { port: Number(new URL(server.url).port), path }
    },
    async close() {
      bank.stop()
      await close()
      await embedded.stop()
      await workshop.close()
    },
  }
}
