import { inLanes, type Session } from "./bulk-session.ts"

const longTables = [
  ...["charges", "charge_search_texts", "kept_charge_day_totals", "kept_paid_day_totals"],
  ...["payments"],
]

/**
 * Drops the indexes, so that they are sorted once at the end instead of row by row. Returns the statements that restore
 * them, most expensive first.
 */
export async function dropIndexes(session: Session): Promise<string[]> {
  const { rows: constraints } = await session.query<{ owner: string; name: string; definition: string }>(
    `select conrelid::regclass::text as owner, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint owned
    where contype in ('u', 'p') and conrelid = any($1::regclass[])
      and not exists (select from pg_constraint where contype = 'f' and conindid = owned.conindid)`,
    [longTables],
  )
  for (const { owner, name } of constraints) await session.query(`alter table ${owner} drop constraint ${name}`)
  const { rows: indexes } = await session.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class owner on owner.oid = indrelid
    where owner.relnamespace = 'public'::regnamespace and not indisunique
    order by pg_get_indexdef(indexrelid) not like '% USING gin %', owner.relname <> 'charge_search_texts'`)
  for (const { name } of indexes) await session.query(`drop index ${name}`)
  return [
    ...indexes.map(({ definition }) => definition),
    ...constraints.map(({ owner, name, definition }) => `alter table ${owner} add constraint ${name} ${definition}`),
  ]
}

export async function createIndexes(url: string, definitions: readonly string[]): Promise<void> {
  const works = definitions.map((definition) => (session: Session) => session.query(definition))
  await inLanes(url, 2, works)
}
