import type pg from "pg"

/** Calls it so often at once. */
export const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<PromiseSettledResult<T>[]> =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => work(index)))

/** How many succeeded (`ok`), and how many failed with each code. */
export function codesOf(results: PromiseSettledResult<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const result of results) {
    const code = result.status === "fulfilled" ? "ok" : String((result.reason as { code?: string }).code)
    counts[code] = (counts[code] ?? 0) + 1
  }
  return counts
}

/** How many statements wait for a lock in this database. */
export async function countWaiting(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rowCount ?? 0
}
