import type { PoolClient } from "pg"

type Query = (query: unknown, ...others: unknown[]) => unknown

const mark = /^\/\* prepared ([a-z-]+) \*\//

/**
 * Statements marked `/* prepared NAME *\/` are parsed and planned once per connection, which on hot paths costs more
 * than their rows. The text under a name, and its result columns, must never vary.
 */
export function prepareMarkedStatements(client: PoolClient): void {
  const query = client.query.bind(client) as Query
  const preparing: Query = (text, values, ...others) => {
    const name = typeof text === "string" ? mark.exec(text)?.[1] : undefined
    return name === undefined ? query(text, values, ...others) : query({ name, text, values }, ...others)
  }
  client.query = preparing as PoolClient["query"]
}
