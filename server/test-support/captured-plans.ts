import type pg from "pg"

export interface CapturedPlan {
  text: string
  /** Null for a statement of a trigger or function. */
  name: string | null
  /** Database pages that were touched. */
  buffers: number
  reads: TableRead[]
}

interface TableRead {
  type: string
  relation: string
  /** Includes rows that a filter then discarded. */
  rows: number
}

interface RawNode {
  "Node Type": string
  "Relation Name"?: string
  "Actual Rows"?: number
  "Actual Loops"?: number
  "Rows Removed by Filter"?: number
  "Rows Removed by Index Recheck"?: number
  "Shared Hit Blocks"?: number
  "Shared Read Blocks"?: number
  Plans?: RawNode[]
}

interface RawPlan {
  "Query Text": string
  Plan: RawNode
}

/** The plans of all statements that a pool of one session runs, as cached, including those inside triggers. */
export async function capturePlans(pool: pg.Pool, run: () => Promise<unknown>): Promise<CapturedPlan[]> {
  const captured: CapturedPlan[] = []
  const hear = ({ message = "" }: { message?: string | undefined }): void => {
    const json = /^duration: .* plan:\n(.*)/s.exec(message)?.[1]
    if (json !== undefined) captured.push(planOf(JSON.parse(json) as RawPlan))
  }
  const session = await pool.connect()
  const setAll = async (settings: readonly string[]): Promise<void> => {
    for (const setting of settings) await session.query(setting)
  }
  await setAll(["set role none", "load 'auto_explain'", ...explaining, "set role tilinta_app"])
  session.on("notice", hear)
  session.release()
  await run()
  const same = await pool.connect()
  same.off("notice", hear)
  await same.query("set client_min_messages to default")
  same.release()
  return captured
}

const explaining = [
  ...["log_min_duration = 0", "log_nested_statements = on", "log_analyze = on", "log_buffers = on"],
  ...["log_format = json", "log_level = notice", "log_timing = off"],
].map((setting) => `set auto_explain.${setting}`)

function planOf({ "Query Text": text, Plan: plan }: RawPlan): CapturedPlan {
  const buffers = (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0)
  return { text, name: /^\/\* prepared ([a-z-]+)/.exec(text.trim())?.[1] ?? null, buffers, reads: readsOf(plan) }
}

function readsOf(node: RawNode): TableRead[] {
  const { "Node Type": type, "Relation Name": relation, Plans: below = [] } = node
  const nested = below.flatMap(readsOf)
  if (relation === undefined || type === "ModifyTable" || type === "LockRows") return nested
  const found = (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)
  const each = found + (node["Rows Removed by Index Recheck"] ?? 0)
  return [{ type, relation, rows: Math.round(each * (node["Actual Loops"] ?? 1)) }, ...nested]
}
