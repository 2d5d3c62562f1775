import { SqlPart } from "#db/sql-part"

/** A row of the journal as `verify` names it: its table, its primary key and its transaction. */
export function postingName(row: string): SqlPart {
  const { kind, reference } = { kind: `${row}.kind`, reference: `${row}.reference` }
  return new SqlPart([
    `'journal kind=' || ${kind} || ' reference=' || ${reference} || ' line=' || ${row}.line || ' (transação ' || ${kind} || ' ' || ${reference} || ')'`,
  ])
}
