import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { startEmbeddedPostgres } from "#db/embedded-postgres"
import { pickFreePort } from "#db/postmaster"
import type { Logger } from "#kit/log"
import { closeFolder } from "#kit/private-folder"
import type { Env } from "./env.ts"
import { removeAddress, writeAddress } from "./own-simulator.ts"
import type { Shutdown } from "./shutdown.ts"

export interface Starting {
  env: Env
  log: Logger
  shutdown: Shutdown
  /** Aborts the start before its next step. */
  signal: AbortSignal
}

/** The server processes of one `npm start` have them in common. */
export interface SharedParts {
  port: number
  /** The owner's address. */
  databaseUrl: string
  /** Null with a real bank. */
  simulator: { url: string; receiverKey: string } | null
}

/** Starts what the environment doesn't name: a database, and a bank of the sandbox. */
export async function startSharedParts(starting: Starting): Promise<SharedParts> {
  const { env } = starting
  const [databaseUrl, simulator] = await bothOrNone(
    env.databaseUrl ?? startOwnPostgres(starting),
    env.pixProvider === "simulator" ? findSimulator(starting) : null,
  )
  return { port: env.port === 0 ? await pickFreePort() : env.port, databaseUrl, simulator }
}

async function startOwnPostgres({ env, log, shutdown, signal }: Starting): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: env.dataDir, log, signal, nodes: env.workers })
  shutdown.add({ name: "embedded database", limitMs: 2_500, stop: () => postgres.stop() })
  return postgres.url
}

/** The configured simulator, or our own on a free local port. */
async function findSimulator({ env, log, shutdown }: Starting): Promise<{ url: string; receiverKey: string }> {
  const { url, clientId, clientSecret, receiverKey } = env.simulator
  if (url !== null && receiverKey !== null) return { url, receiverKey }

  if (env.databaseUrl !== null) {
    await mkdir(env.dataDir, { recursive: true, mode: 0o700 })
    await closeFolder(env.dataDir)
  }
  const { startSimulator } = await import("@tilinta/simulator/start-simulator")
  const simulator = await startSimulator({
    port: 0,
    dataDir: join(env.dataDir, "simulator"),
    clientId,
    clientSecret,
    ...(receiverKey !== null && { receiverKey }),
    log: (line) => log.info({ part: "simulator" }, line),
  })
  shutdown.add({ name: "simulator", limitMs: 700, stop: () => simulator.stop() })
  shutdown.add({ name: "simulator's address", limitMs: 100, stop: () => removeAddress(env.dataDir) })
  await writeAddress(env.dataDir, simulator)
  return simulator
}

/** Waits for both even if one fails, so that nothing is still starting afterwards. */
async function bothOrNone<A, B>(a: Promise<A> | A, b: Promise<B> | B): Promise<[A, B]> {
  await Promise.allSettled([a, b])
  return Promise.all([a, b])
}
