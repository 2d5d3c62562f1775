import type { Query } from "./market.ts"
import { postgresCpuSeconds } from "./process-figures.ts"

/** The payments of a tenth of a second, as the job finds them at each numbering of a rush. */
const perNumbering = 2_500

/** The position up to which events have their numbers. */
export async function numberedUntil(query: Query): Promise<string> {
  const [row] = await query<{ until: string }>("select until::text as until from numbered_events")
  return row?.until ?? "0"
}

interface Numbering {
  query: Query
  postmaster(): number
}

/**
 * PostgreSQL's CPU for the number of one payment's event. Numbers the payments between two positions again, while no
 * server runs: the log holds them three times then, so it is the last thing that a job does. The first of the two times
 * is not measured, because after the checkpoint it logs a whole page for each one that it writes to.
 */
export async function numberingUs(numbering: Numbering, range: { from: string; to: string }): Promise<number> {
  await numberOnce(numbering, range)
  return numberOnce(numbering, range)
}

async function numberOnce(
  { query, postmaster }: Numbering,
  { from, to }: { from: string; to: string },
): Promise<number> {
  await query(`update numbered_events set until = '${from}'`)
  const before = postgresCpuSeconds(postmaster())
  let events = 0
  while (BigInt(await numberedUntil(query)) < BigInt(to)) {
    const [row] = await query<{ numbered: number }>(`select number_events(${perNumbering})::integer as numbered`)
    if (row === undefined || row.numbered === 0) throw new Error("the events were not numbered again")
    events += row.numbered
  }
  return ((postgresCpuSeconds(postmaster()) - before) / events) * 1e6
}
