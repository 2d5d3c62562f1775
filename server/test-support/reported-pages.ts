import type { ChargePage } from "#selling/charge-pages/rules"
import { suspendPage } from "#selling/page-reports/decide"
import { reportPage } from "#selling/page-reports/reports"
import type { EdgeWorld } from "./edge-world.ts"

/** Returns the id of the open report. */
export async function reportOf(world: EdgeWorld, { id, uniqueLink }: ChargePage): Promise<string> {
  await reportPage(world, { link: uniqueLink, reason: "scam", network: "203.0.113.7" })
  const report = world.db.selectFrom("page_reports").select("id").where("page_id", "=", id)
  return (await report.executeTakeFirstOrThrow()).id
}

/** Returns the id of the report for which the page is suspended. */
export async function suspensionOf(world: EdgeWorld, page: ChargePage): Promise<string> {
  const id = await reportOf(world, page)
  const admin = await world.user("admin")
  await suspendPage(world, { id, reason: null, admin: { id: admin.id, address: null } })
  return id
}
