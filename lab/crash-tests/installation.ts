import { join } from "node:path"
import { startEmbeddedPostgres } from "../../server/src/db/embedded-postgres.ts"
import { createLog } from "../../server/src/kit/log.ts"
import { startPooler } from "../../server/test-support/pooler.ts"
import { killDatabase } from "./embedded-books.ts"
import { openWorkshop, type ServerProcess, untilAnnounced, type Workshop } from "./server-process.ts"
import { sendJson } from "./shop.ts"

export const bankClient = { id: "tilinta", secret: "tilinta-sandbox", receiverKey: "conta@teste.example" }

export const administrator = { email: "chefe@tilinta.example", password: "senha-do-chefe" }

/** One database and one bank, with any number of server nodes. */
export interface Installation {
  databaseUrl: string
  bankUrl: string
  /** The folder of the bank's books, which can be read once the bank has ended. */
  bankDataDir: string
  /** A `script` by its whole path is another version's. The log goes to `logFile` instead of memory. */
  startNode(more?: Record<string, string>, script?: string, logFile?: string): Promise<ServerProcess>
  newFolder(): Promise<string>
  /** With SIGKILL; it is started again at once. */
  killDatabase(): Promise<void>
  /** The installation's own database, or a restored one. */
  verify(databaseUrl?: string): ReturnType<Workshop["verify"]>
  endBank(): Promise<void>
  close(): Promise<void>
}

interface Database {
  url: string
  kill(): Promise<void>
  stop(): Promise<void>
}

/** By default on a database of its own; another's is neither killed nor stopped here. */
export async function openInstallation(database: Database | null = null): Promise<Installation> {
  const workshop = await openWorkshop()
  const dataDir = await workshop.newFolder()
  const postgres = database ?? (await startOwnDatabase(dataDir))
  const pooler = process.env.TEST_POOLER === undefined ? null : await startPooler(postgres.url)
  const bankDataDir = await workshop.newFolder()
  const bank = workshop.run("simulator/src/main.ts", {
    SIMULATOR_PORT: "0",
    SIMULATOR_DATA_DIR: join(bankDataDir, "simulator"),
    SIMULATOR_CLIENT_ID: bankClient.id,
    SIMULATOR_CLIENT_SECRET: bankClient.secret,
    SIMULATOR_RECEIVER_KEY: bankClient.receiverKey,
  })
  const bankUrl = await untilAnnounced(bank, /pronto em (http:\S+)\/simulador /)
  const env = {
    DATABASE_URL: pooler?.url ?? postgres.url,
    SIMULATOR_URL: bankUrl,
    SIMULATOR_CLIENT_ID: bankClient.id,
    SIMULATOR_CLIENT_SECRET: bankClient.secret,
    SIMULATOR_RECEIVER_KEY: bankClient.receiverKey,
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
  }
  return {
    databaseUrl: postgres.url,
    bankUrl,
    bankDataDir,
    startNode: async (more = {}, script, logFile) =>
      workshop.startServer({
        dataDir: await workshop.newFolder(),
        env: { ...env, ...more },
        ...(script !== undefined && { script }),
        ...(logFile !== undefined && { logFile }),
      }),
    newFolder: () => workshop.newFolder(),
    killDatabase: () => postgres.kill(),
    verify: (url = postgres.url) => workshop.verify({ dataDir, env: { ...env, DATABASE_URL: url } }),
    async endBank() {
      bank.kill("SIGTERM")
      await bank.exited
    },
    async close() {
      await workshop.close()
      await pooler?.stop()
      await postgres.stop()
    },
  }
}

async function startOwnDatabase(dataDir: string): Promise<Database> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog("silent"), isDurable: false })
  return { ...postgres, kill: () => killDatabase(dataDir) }
}

export async function logInAsAdmin(serverUrl: string): Promise<string> {
  const { body } = await sendJson(`${serverUrl}/api/v1/auth/login`, "POST", administrator)
  return String(body.token)
}
