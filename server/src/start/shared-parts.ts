import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startEmbeddedPostgres } from "#db/embedded-postgres"
import { pickFreePort } from "#db/postmaster"
import type { Clock } from "#kit/clock"
import { closeFolder } from "#kit/folders"
import type { Logger } from "#kit/log"
import type { Env } from "./env.ts"
import type { Shutdown } from "./shutdown.ts"

export interface Starting {
  env: Env
  log: Logger
  clock: Clock
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

interface SimulatorAddress {
  url: string
  receiverKey: string
}

const fileIn = (dataDir: string) => join(dataDir, "simulator", "address.json")

/** The server's own simulator listens on any free port: commands find it by this file. */
export async function writeAddress(dataDir: string, { url, receiverKey }: SimulatorAddress): Promise<void> {
  await writeFile(fileIn(dataDir), JSON.stringify({ url, receiverKey }), { mode: 0o600 })
}

async function removeAddress(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true })
}

/** False where the installation has no simulator of its own. */
export async function withOwnSimulator(
  { dataDir, simulator }: Pick<Env, "dataDir" | "simulator">,
  use: (address: SimulatorAddress) => Promise<void>,
): Promise<boolean> {
  const running = await findRunning(dataDir)
  if (running !== null) {
    await use(running)
    return true
  }
  const isThere = (await stat(join(dataDir, "simulator", "simulator.sqlite")).catch(() => null)) !== null
  if (isThere) await useCopy(dataDir, simulator, use)
  return isThere
}

/** Null for a file that a killed server left behind. */
async function findRunning(dataDir: string): Promise<SimulatorAddress | null> {
  try {
    const address = JSON.parse(await readFile(fileIn(dataDir), "utf8")) as SimulatorAddress
    await fetch(address.url)
    return address
  } catch {
    return null
  }
}

/** Nobody runs it: a copy of its books answers, so that a start at the same moment finds them free. */
async function useCopy(
  dataDir: string,
  { clientId, clientSecret, receiverKey }: Env["simulator"],
  use: (address: SimulatorAddress) => Promise<void>,
): Promise<void> {
  const { startSimulator } = await import("@tilinta/simulator/start-simulator")
  const folder = await mkdtemp(join(tmpdir(), "tilinta-bank-"))
  try {
    await cp(join(dataDir, "simulator"), folder, { recursive: true })
    const copy = await startSimulator({
      port: 0,
      dataDir: folder,
      clientId,
      clientSecret,
      isDurable: false,
      ...(receiverKey !== null && { receiverKey }),
    })
    await use(copy).finally(() => copy.stop())
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
