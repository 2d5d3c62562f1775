import pg from "pg"

interface RowCounter {
  /** Row counts of every table of the database, by name. */
  count(): Promise<Record<string, number>>
  close(): Promise<void>
}

/** One connection for many counts: a new one reads the catalogue of every table again. */
export async function openRowCounter(databaseUrl: string): Promise<RowCounter> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows: counts } = await client.query<{ text: string }>(`
    select format('select %L as name, count(*) as count from %I', table_name, table_name) as text
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`)
  const text = counts.map((table) => table.text).join(" union all ")
  return {
    async count() {
      const { rows } = await client.query<{ name: string; count: string }>({ name: "count-rows", text })
      return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]))
    },
    close: () => client.end(),
  }
}
