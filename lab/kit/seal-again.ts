import { createPool } from "../../server/src/db/pools.ts"
import { createDb } from "../../server/src/db/transaction.ts"
import { systemClock } from "../../server/src/kit/clock.ts"
import { sealRows } from "../../server/src/money/chain/seal.ts"
import type { Market } from "./market.ts"
import { postgresCpuSeconds } from "./process-figures.ts"

/**
 * The CPU of PostgreSQL and of this process for the sealing of one row. Seals those after this position once more, while no
 * server runs: the chain holds them twice then, so it is one of the last things that a job does.
 */
export async function sealingUs({ query, postmaster, databaseUrl }: Market, from: string): Promise<number> {
  const pool = createPool({ url: databaseUrl, max: 1, applicationName: "bench sealing" })
  try {
    const sealed = async () => {
      const [row] = await query<{ rows: number }>(
        "select coalesce(sum(row_count), 0)::integer as rows from chain_blocks",
      )
      return row?.rows ?? 0
    }
    const seal = () => sealRows({ db: createDb(pool), clock: systemClock, psp: { bankTime: () => null } })
    // The rows that the server left over are sealed before the clock starts, and the code is warm.
    await seal()
    await query(`update chain_head set until = '${from}'`)
    const before = { rows: await sealed(), postgres: postgresCpuSeconds(postmaster()), own: process.cpuUsage() }
    await seal()
    const own = process.cpuUsage(before.own)
    const postgresSeconds = postgresCpuSeconds(postmaster()) - before.postgres
    const rows = (await sealed()) - before.rows
    if (rows === 0) throw new Error("no row was sealed again")
    return (postgresSeconds * 1e6 + own.user + own.system) / rows
  } finally {
    await pool.end()
  }
}
