import { type RawBuilder, sql } from "kysely"

/** The first moment of a day of São Paulo, `YYYY-MM-DD`. */
export function startOfDay(day: string): RawBuilder<Date> {
  return sql<Date>`(${day}::date::timestamp at time zone 'America/Sao_Paulo')`
}

/** The first moment that belongs to the day no more. */
export function endOfDay(day: string): RawBuilder<Date> {
  return sql<Date>`((${day}::date + 1)::timestamp at time zone 'America/Sao_Paulo')`
}
