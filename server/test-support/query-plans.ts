import { Kysely, PostgresDialect } from "kysely"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
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

/** The plans that PostgreSQL makes for the queries that `read` runs, each as all of its nodes. */
export async function plansOf({ pool }: TestDatabase, read: (db: Db) => Promise<unknown>): Promise<PlanNode[][]> {
  const queries: { sql: string; parameters: unknown[] }[] = []
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      queries.push({ sql: query.sql, parameters: [...query.parameters] })
    },
  })
  await read(db)
  const plans: PlanNode[][] = []
  for (const { sql, parameters } of queries) {
    const { rows } = await pool.query(`explain (format json) ${sql}`, parameters)
    plans.push(nodesOf(rows[0]["QUERY PLAN"][0].Plan))
  }
  return plans
}

function nodesOf(plan: RawPlan): PlanNode[] {
  const node = { type: plan["Node Type"], relation: plan["Relation Name"], index: plan["Index Name"] }
  return [node, ...(plan.Plans ?? []).flatMap(nodesOf)]
}
