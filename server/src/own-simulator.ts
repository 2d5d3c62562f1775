import { cp, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Env } from "./env.ts"

interface SimulatorAddress {
  url: string
  receiverKey: string
}

const fileIn = (dataDir: string) => join(dataDir, "simulator", "address.json")

/** The server's own simulator listens on any free port: commands beside it find it by this file. */
export async function writeAddress(dataDir: string, { url, receiverKey }: SimulatorAddress): Promise<void> {
  await writeFile(fileIn(dataDir), JSON.stringify({ url, receiverKey }), { mode: 0o600 })
}

export async function removeAddress(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true })
}

/** False where the installation has no simulator of its own. */
export async function withOwnSimulator(
  { dataDir, simulator }: Pick<Env, "dataDir" | "simulator">,
  ask: (address: SimulatorAddress) => Promise<void>,
): Promise<boolean> {
  const running = await findRunning(dataDir)
  if (running !== null) {
    await ask(running)
    return true
  }
  const isThere = (await stat(join(dataDir, "simulator", "simulator.sqlite")).catch(() => null)) !== null
  if (isThere) await askCopy(dataDir, simulator, ask)
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
async function askCopy(
  dataDir: string,
  { clientId, clientSecret, receiverKey }: Env["simulator"],
  ask: (address: SimulatorAddress) => Promise<void>,
): Promise<void> {
  const { startSimulator } = await import("@tilinta/simulator/start-simulator")
  const folder = await mkdtemp(join(tmpdir(), "tilinta-bank-"))
  try {
    await cp(join(dataDir, "simulator"), folder, { recursive: true })
    const key = receiverKey === null ? {} : { receiverKey }
    const copy = await startSimulator({ port: 0, dataDir: folder, clientId, clientSecret, isDurable: false, ...key })
    await ask(copy).finally(() => copy.stop())
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
