import { type RawBuilder, type SqlBool, sql } from "kysely"

/** São Paulo calendar days, both inclusive, `YYYY-MM-DD`. */
export interface Days {
  dayFrom?: string | undefined
  dayTo?: string | undefined
}

/** For timestamp columns; written so that an index on the column is used. */
export function momentWithin(column: string, { dayFrom, dayTo }: Days): RawBuilder<SqlBool>[] {
  const moment = sql.ref(column)
  const parts: RawBuilder<SqlBool>[] = []
  if (dayFrom !== undefined)
    parts.push(sql`${moment} >= (${dayFrom}::date::timestamp at time zone 'America/Sao_Paulo')`)
  if (dayTo !== undefined)
    parts.push(sql`${moment} < ((${dayTo}::date + 1)::timestamp at time zone 'America/Sao_Paulo')`)
  return parts
}

/** For date columns. */
export function dayWithin(column: string, { dayFrom, dayTo }: Days): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} between ${dayFrom ?? "-infinity"}::date and ${dayTo ?? "infinity"}::date`
}
