import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type SchemaObject, schemaObjectsQuery, shortened, type WrittenCatalog } from "../server/src/db/catalog.ts"
import { connectEmbedded } from "../server/src/db/embedded-postgres.ts"
import { migrate } from "../server/src/db/migrate.ts"
import { appRole } from "../server/src/db/roles.ts"
import { connectOwner } from "../server/src/db/route.ts"
import { createLog } from "../server/src/kit/log.ts"
import { repositoryFolder } from "./run-tool.ts"
import { makeTestFolder } from "./test-folder.ts"

const typesFile = join(repositoryFolder, "server/src/db/schema.ts")
const catalogFile = join(repositoryFolder, "server/src/db/catalog.json")
const namedTypesFile = join(repositoryFolder, "server/src/db/column-types.ts")
const lineWidth = 120

const head = `// Written by \`npm run db:types\` from the database's schema and ./column-types.ts.
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { ColumnType, Generated } from "kysely"
import type { ColumnTypes } from "./column-types.ts"
`

type Session = Awaited<ReturnType<typeof connectOwner>>

interface Column {
  table: string
  name: string
  type: string
  /** The words of a check such as `status in ('open', 'closed')`. */
  words: string[] | null
  isNullable: boolean
  hasDefault: boolean
  isGenerated: boolean
  /** Whether the server's role may change it. */
  isUpdatable: boolean
}

/** The views that the server reads by name; the others are parts of statements. */
const views = ["ledger_postings", "charge_totals"]

/** PostgreSQL calls every column of a view nullable, so it is what the column of that name in its tables is. */
const columnsOf = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    (select array(select (regexp_matches(pg_get_constraintdef(n.oid), '''([^'']*)''::text', 'g'))[1])
      from pg_constraint n where n.conrelid = c.oid and n.conkey = array[a.attnum]
        and pg_get_constraintdef(n.oid) ~ '^CHECK \\(\\(\\w+ = ANY \\(ARRAY\\[[^]]*\\]\\)\\)\\)$') as words,
    case c.relkind when 'v' then source.is_nullable else not a.attnotnull end as "isNullable",
    a.attidentity <> '' or d.adbin is not null as "hasDefault", a.attgenerated <> '' as "isGenerated",
    has_column_privilege('${appRole}', c.oid, a.attnum, 'update') as "isUpdatable"
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  cross join lateral (
    select coalesce(bool_or(not b.attnotnull), true) as is_nullable
    from pg_rewrite r join pg_depend o on o.classid = 'pg_rewrite'::regclass and o.objid = r.oid
    join pg_attribute b on b.attrelid = o.refobjid and b.attnum = o.refobjsubid
    join pg_class base on base.oid = b.attrelid and base.relkind in ('r', 'p')
    where r.ev_class = c.oid and b.attname = a.attname) source
  where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
    and (c.relkind in ('r', 'p') and not c.relispartition or c.relname = any ($1))
  order by c.relname, a.attnum`

const typesOf: Record<string, string> = {
  uuid: "string",
  text: "string",
  date: "string",
  xid8: "string",
  integer: "number",
  bigint: "number",
  boolean: "boolean",
  "timestamp with time zone": "Date",
  bytea: "Buffer",
  jsonb: "unknown",
  "integer[]": "number[]",
  "text[]": "string[]",
}

/** The text of db/schema.ts as the session sees the database. `namedTypes` is that of db/column-types.ts. */
export async function writeTableTypes(session: Session, namedTypes?: string): Promise<string> {
  const text = namedTypes ?? (await readFile(namedTypesFile, "utf8"))
  const named = new Set([...text.matchAll(/^ {2}"(\w+\.\w+)": /gm)].map(([, name = ""]) => name))
  const { rows } = await session.query<Column>(columnsOf, [views])
  const known = new Set(rows.map(({ table, name }) => `${table}.${name}`))
  const stray = [...named].filter((name) => !known.has(name))
  if (stray.length > 0) throw new Error(`column-types.ts names what is no column: ${stray.join(", ")}`)
  const tables = Map.groupBy(rows, ({ table }) => table)
  const lists = [...tables].map(([table, columns]): [string, string[]] => [
    interfaceOf(table),
    columns.map((column) => lineOf(column, named)),
  ])
  const schema = [...tables.keys()].map((table) => `  ${table}: ${interfaceOf(table)}\n`)
  return [head, ...[...lists, ["Schema", schema] as const].map(([name, lines]) => interfaceText(name, lines))].join("")
}

/** The text of db/catalog.json. */
export async function readCatalogText(session: Session): Promise<string> {
  const { rows } = await session.query<SchemaObject>(schemaObjectsQuery)
  const { rows: versions } = await session.query<{ major: number }>(
    "select current_setting('server_version_num')::integer / 10000 as major",
  )
  const sorted = rows.toSorted((a, b) => (a.object < b.object ? -1 : 1))
  const catalog: WrittenCatalog = {
    postgres: versions[0]?.major ?? 0,
    objects: Object.fromEntries(sorted.map((each) => [each.object, shortened(each)])),
  }
  return `${JSON.stringify(catalog, null, 2)}\n`
}

function interfaceText(name: string, lines: readonly string[]): string {
  return `\nexport interface ${name} {\n${lines.join("")}}\n`
}

/** `charge_pages` is ChargePagesTable. */
function interfaceOf(table: string): string {
  return `${table.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Table`
}

function lineOf(column: Column, named: ReadonlySet<string>): string {
  const line = `  ${column.name}: ${columnTypeOf(column, named.has(`${column.table}.${column.name}`))}\n`
  if (line.length <= lineWidth) return line
  throw new Error(`${column.table}.${column.name} needs a type in column-types.ts`)
}

function columnTypeOf({ table, name, type, ...column }: Column, isNamed: boolean): string {
  const { words, isNullable, hasDefault, isGenerated, isUpdatable } = column
  const plain = type === "bigint" && name.endsWith("_cents") ? "Cents" : typesOf[type]
  if (plain === undefined) throw new Error(`${table}.${name} is of a type that is not known here: ${type}`)
  const union = words?.map((word) => JSON.stringify(word)).join(" | ")
  const value = isNamed ? `ColumnTypes["${table}.${name}"]` : (union ?? plain)
  // Its expression decides whether it is ever null.
  if (isGenerated) return `ColumnType<${isNamed ? value : `${value} | null`}, never, never>`
  const orNull = isNullable ? " | null" : ""
  if (type === "jsonb") {
    const written = `string${orNull}`
    const read = value === "unknown" ? value : `${value}${orNull}`
    return `ColumnType<${read}, ${hasDefault ? `${written} | undefined` : written}, ${isUpdatable ? written : "never"}>`
  }
  return hasDefault ? `Generated<${value}${orNull}>` : `${value}${orNull}`
}

if (import.meta.main) {
  const log = createLog("error")
  const dataDir = await makeTestFolder()
  try {
    const database = await connectEmbedded({ dataDir, log, isDurable: false })
    try {
      await migrate({ ownerUrl: database.url, log })
      const session = await connectOwner(database.url, log)
      await writeFile(typesFile, await writeTableTypes(session))
      await writeFile(catalogFile, await readCatalogText(session))
      await session.end()
    } finally {
      await database.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
