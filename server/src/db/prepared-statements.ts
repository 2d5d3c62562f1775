import type { PoolClient } from "pg"

type Query = (query: unknown, ...others: unknown[]) => unknown

const mark = /^\/\* prepared ([a-z-]+) \*\//

/**
 * Statements that begin with `/* prepared NAME *\/` are parsed and planned once for each connection: on hot paths
 * that costs more than their rows. The text under a name never varies, nor do the columns that it answers.
 */
export function prepareMarkedStatements(client: PoolClient): void {
  const query = client.query.bind(client) as Query
  const preparing: Query = (text, values, ...others) => {
    const name = typeof text === "string" ? mark.exec(text)?.[1] : undefined
    return name === undefined ? query(text, values, ...others) : query({ name, text, values }, ...others)
  }
  client.query = preparing as PoolClient["query"]
}
