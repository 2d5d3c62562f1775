import pg from "pg"

/** Row counts of every table of the database, by name. */
export async function countRows(databaseUrl: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; count: string }>(`
      select table_name as name,
        (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', table_name), false, true, '')))[1]::text as count
      from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`)
    return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]))
  } finally {
    await client.end()
  }
}
