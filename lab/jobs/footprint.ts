import { setTimeout as sleep } from "node:timers/promises"
import { connectEmbedded } from "../../server/src/db/embedded-postgres.ts"
import { createLog } from "../../server/src/kit/log.ts"
import { prepareSite } from "../../tools/prepare-site.ts"
import { openWorkshop, type StartOptions, untilAnnounced, type Workshop } from "../crash-tests/server-process.ts"
import { numberOf } from "../kit/arguments.ts"
import { atMost, type Job, shownOnly } from "../kit/job.ts"
import { cpuSeconds, residentMb } from "../kit/process-figures.ts"
import { median } from "../timings.ts"

const script = "tools/start.ts"
const receiverKey = "sandbox@tilinta.example"

/**
 * Arguments: `rounds=`, `seconds=` of idling. PostgreSQL already runs, as with an operator's own database; the
 * sandbox's bank is part of the server.
 */
export const job: Job = {
  title: "Footprint",
  async run(args) {
    const rounds = numberOf(args, "rounds", 5)
    const idleSeconds = numberOf(args, "seconds", 30)
    await prepareSite()
    const workshop = await openWorkshop()
    const embedded = await connectEmbedded({ dataDir: await workshop.newFolder(), log: createLog("error") })
    try {
      const dataDir = await workshop.newFolder()
      const cache = { NODE_COMPILE_CACHE: await workshop.newFolder() }
      const shipped = { dataDir, script, env: { DATABASE_URL: embedded.url, ...cache } }
      const uncached = { ...shipped, env: { DATABASE_URL: embedded.url, NODE_DISABLE_COMPILE_CACHE: "1" } }
      await measureStart(workshop, shipped)
      const [cached, bare] = await inTurn(rounds, [
        () => measureStart(workshop, shipped),
        () => measureStart(workshop, uncached),
      ])
      const idle = await measureIdle(workshop, shipped, idleSeconds)
      const apart = { SIMULATOR_URL: await startBank(workshop), SIMULATOR_RECEIVER_KEY: receiverKey }
      const withoutBank = await measureIdle(workshop, { ...shipped, env: { ...shipped.env, ...apart } }, idleSeconds)
      return {
        rows: [
          atMost(110, { what: "idle memory of the server process", figure: idle, unit: "MB" }),
          shownOnly({ what: "the same, the sandbox's bank in a process of its own", figure: withoutBank, unit: "MB" }),
          atMost(700, { what: "ready after the start, migrated", figure: cached?.readyMs ?? 0, unit: "ms" }),
          shownOnly({ what: "its CPU until then", figure: cached?.cpuMs ?? 0, unit: "ms" }),
          shownOnly({ what: "ready without a compile cache", figure: bare?.readyMs ?? 0, unit: "ms" }),
          shownOnly({ what: "its CPU until then", figure: bare?.cpuMs ?? 0, unit: "ms" }),
        ],
        notes: [
          `Medians of ${rounds} starts that take turns; idle: ${idleSeconds} s after the start, with every job on.`,
        ],
      }
    } finally {
      await workshop.close()
      await embedded.stop()
    }
  },
}

interface Start {
  readyMs: number
  cpuMs: number
}

async function measureStart(workshop: Workshop, options: StartOptions): Promise<Start> {
  const server = await workshop.startServer(options)
  const cpuMs = cpuSeconds(server.pid) * 1000
  server.kill("SIGTERM")
  await server.exited
  return { readyMs: server.readyMs, cpuMs }
}

async function inTurn(rounds: number, ways: (() => Promise<Start>)[]): Promise<Start[]> {
  const starts: Start[][] = ways.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, way] of ways.entries()) starts[at]?.push(await way())
  }
  return starts.map((of) => ({
    readyMs: median(of.map((one) => one.readyMs)),
    cpuMs: median(of.map((one) => one.cpuMs)),
  }))
}

async function measureIdle(workshop: Workshop, options: StartOptions, seconds: number): Promise<number> {
  const server = await workshop.startServer(options)
  await sleep(seconds * 1000)
  const figure = residentMb(server.pid)
  server.kill("SIGTERM")
  await server.exited
  return figure
}

async function startBank(workshop: Workshop): Promise<string> {
  const bank = workshop.run("simulator/src/main.ts", {
    SIMULATOR_PORT: "0",
    SIMULATOR_DATA_DIR: await workshop.newFolder(),
    SIMULATOR_RECEIVER_KEY: receiverKey,
  })
  return untilAnnounced(bank, /^Simulador de banco pronto em (http:\S+)\/simulador/m)
}
