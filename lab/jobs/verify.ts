import { setTimeout as sleep } from "node:timers/promises"
import { connectEmbedded } from "../../server/src/db/embedded-postgres.ts"
import { createLog } from "../../server/src/kit/log.ts"
import { openWorkshop, type Workshop } from "../crash-tests/server-process.ts"
import { numberOf } from "../kit/arguments.ts"
import { atMost, type Job, shownOnly } from "../kit/job.ts"
import { asOwner, ensureSeeded, folderFor } from "../seeded-server.ts"

/** The seeding pays this part of all charges. */
const paidPart = 0.7
const mostSeconds = 60
const chain = /Corrente: (\d+) linhas seladas em (\d+) blocos/

/** Arguments: `payments=` about so many. */
export const job: Job = {
  title: "The books verified",
  async run(args) {
    const charges = Math.ceil((numberOf(args, "payments", 1_000_000) / paidPart) * 1.002)
    const workshop = await openWorkshop()
    try {
      const dataDir = await folderFor(workshop, charges)
      await ensureSeeded(dataDir, charges)
      const payments = await sealAll(workshop, dataDir)
      const begin = performance.now()
      const { code, output } = await workshop.verify({ dataDir })
      const seconds = (performance.now() - begin) / 1000
      const differences = output.match(/^DIFERENÇA/gm)?.length ?? 0
      if (code !== 0 && differences === 0) throw new Error(output.trim())
      const [, rows, blocks] = chain.exec(output) ?? []
      return {
        rows: [
          atMost(mostSeconds, { what: "npm run verify, with starting PostgreSQL", figure: seconds, unit: "s" }),
          atMost(0, { what: "differences that it finds in clean books", figure: differences, unit: "" }),
          shownOnly({ what: "payments", figure: payments, unit: "" }),
          shownOnly({ what: "rows in the chain", figure: Number(rows), unit: "" }),
          shownOnly({ what: "blocks of the chain", figure: Number(blocks), unit: "" }),
        ],
        notes: [
          "A year of trade, written as ready rows and sealed and signed by a server. The command then reads every row, adds up every balance and total, and compares each row with its hash in the chain.",
        ],
      }
    } finally {
      await workshop.close()
    }
  },
}

/** A server seals what was seeded, and has ended when this returns the number of payments. */
async function sealAll(workshop: Workshop, dataDir: string): Promise<number> {
  const server = await workshop.startServer({ dataDir })
  const { url } = await connectEmbedded({ dataDir, log: createLog("error") })
  let payments = 0
  await asOwner(url, async (query) => {
    const waiting = "select from payments, chain_head where xid > until limit 1"
    while ((await query(waiting)) > 0) await sleep(500)
    payments = await query("select from payments")
  })
  server.kill("SIGTERM")
  await server.exited
  return payments
}
