import { setTimeout as sleep } from "node:timers/promises"
import type { Query } from "./market.ts"

/** Ends PostgreSQL's own work after a load, so that the CPU of what is measured next is not that of a vacuum or a checkpoint. */
export async function restDatabase(query: Query): Promise<void> {
  await query("alter system set autovacuum = off")
  await query("select pg_reload_conf()")
  const isVacuuming = async () => {
    const [row] = await query<{ count: number }>(
      "select count(*)::integer as count from pg_stat_activity where backend_type = 'autovacuum worker'",
    )
    return row?.count !== 0
  }
  do await sleep(500)
  while (await isVacuuming())
  await query("checkpoint")
}
