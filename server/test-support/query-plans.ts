import { createDb, type SoleDb } from "#db/transaction"
import type { TestDatabase } from "./test-database.ts"

export interface PlanNode {
  type: string
  relation: string | undefined
  index: string | undefined
}

interface RawPlan {
  "Node Type": string
  "Relation Name"?: string
  "Index Name"?: string
  Plans?: RawPlan[]
}

interface ReadPlan extends RawPlan {
  "Shared Hit Blocks": number
  "Shared Read Blocks": number
}

/** The plans of the queries that `read` runs, each as a list of its nodes. */
export async function plansOf(database: TestDatabase, read: (db: SoleDb) => Promise<unknown>): Promise<PlanNode[][]> {
  const plans = await explained(database, read, "format json")
  return plans.map(nodesOf)
}

/** Database pages that the queries of `read` touch on its second run. */
export async function buffersOf(database: TestDatabase, read: (db: SoleDb) => Promise<unknown>): Promise<number> {
  const plans = await explained<ReadPlan>(database, read, "analyze, buffers, format json", { isKnown: true })
  return plans.reduce((sum, plan) => sum + plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], 0)
}

async function explained<Plan extends RawPlan>(
  { pool }: TestDatabase,
  read: (db: SoleDb) => Promise<unknown>,
  options: string,
  { isKnown = false } = {},
): Promise<Plan[]> {
  let queries: { sql: string; parameters: readonly unknown[] }[] = []
  const db = createDb(pool, ({ query }) => {
    queries.push({ sql: query.sql, parameters: query.parameters })
  })
  if (isKnown) await read(db)
  queries = []
  await read(db)
  const client = await pool.connect()
  const explain = async ({ sql, parameters }: (typeof queries)[number]): Promise<Plan> => {
    const { rows } = await client.query(`explain (${options}) ${sql}`, [...parameters])
    return rows[0]["QUERY PLAN"][0].Plan
  }
  try {
    const plans: Plan[] = []
    for (const query of queries) {
      // A connection reads system tables on its first run of a query: the second run counts the query's own pages.
      if (isKnown) await explain(query)
      plans.push(await explain(query))
    }
    return plans
  } finally {
    client.release()
  }
}

function nodesOf(plan: RawPlan): PlanNode[] {
  const node = { type: plan["Node Type"], relation: plan["Relation Name"], index: plan["Index Name"] }
  return [node, ...(plan.Plans ?? []).flatMap(nodesOf)]
}
