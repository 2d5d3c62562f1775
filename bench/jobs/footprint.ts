import { openWorkshop } from "../../server/crash-tests/server-process.ts"
import { atMost, type Job } from "../kit/job.ts"
import { residentMb } from "../kit/process-figures.ts"

const rounds = 5

/** PostgreSQL runs beside the server and keeps running, as at an operator with a database of their own. */
export const job: Job = {
  title: "Footprint",
  async run() {
    const workshop = await openWorkshop()
    try {
      const dataDir = await workshop.newFolder()
      const first = await workshop.startServer({ dataDir })
      await new Promise((resolve) => setTimeout(resolve, 10_000))
      const idleMb = residentMb(first.pid)
      first.kill("SIGTERM")
      await first.exited
      const readyMs: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const server = await workshop.startServer({ dataDir })
        readyMs.push(server.readyMs)
        server.kill("SIGTERM")
        await server.exited
      }
      const median = readyMs.toSorted((a, b) => a - b)[rounds >> 1] ?? 0
      return {
        rows: [
          atMost(130, { what: "idle memory of the server process", figure: idleMb, unit: "MB" }),
          atMost(1000, { what: "ready after the start, migrated", figure: median, unit: "ms" }),
        ],
        notes: [],
      }
    } finally {
      await workshop.close()
    }
  },
}
