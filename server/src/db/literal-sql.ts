import { createQueryId, PostgresQueryCompiler, type RawBuilder } from "kysely"
import pg from "pg"
import { invariant } from "#kit/invariant"

/**
 * For COPY, which takes no parameters: every value becomes a quoted literal, whose type PostgreSQL infers as for a
 * parameter.
 */
export function literalSql(query: RawBuilder<unknown>): string {
  return new LiteralCompiler().compileQuery(query.toOperationNode(), createQueryId()).sql
}

class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(literalOf(value))
  }
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return "null"
  const text = Array.isArray(value) ? arrayText(value) : textOf(value)
  invariant(!text.includes("\0"), "a value for COPY contains NUL")
  return pg.escapeLiteral(text)
}

function arrayText(items: readonly unknown[]): string {
  return `{${items.map((item) => `"${textOf(item).replace(/[\\"]/g, "\\$&")}"`).join(",")}}`
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  invariant(
    typeof value === "string" || typeof value === "number" || typeof value === "boolean",
    `a value for COPY is a ${typeof value}`,
  )
  return String(value)
}
