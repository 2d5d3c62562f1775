import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

export interface SchemaObject {
  object: string
  definition: string
}

const ours = "c.relnamespace = 'public'::regnamespace"

/** Functions of the schema `public` that belong to no extension. */
export const functionsQuery = `
  select 'function ' || p.oid::regprocedure as object, pg_get_functiondef(p.oid) as definition
  from pg_proc p where p.pronamespace = 'public'::regnamespace and not exists (
    select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`

/** Everything that a session runs besides the statement that it sent. */
export const schemaObjectsQuery = `
  ${functionsQuery}
  union all
  select 'trigger ' || t.tgname || ' on ' || c.relname,
    pg_get_triggerdef(t.oid) || case t.tgenabled::text when 'O' then '' else ' -- ' || t.tgenabled::text end
  from pg_trigger t join pg_class c on c.oid = t.tgrelid where ${ours} and not t.tgisinternal
  union all
  select 'view ' || c.relname, pg_get_viewdef(c.oid) from pg_class c where ${ours} and c.relkind = 'v'
  union all
  select 'rule ' || r.rulename || ' on ' || c.relname, pg_get_ruledef(r.oid)
  from pg_rewrite r join pg_class c on c.oid = r.ev_class where ${ours} and c.relkind in ('r', 'p')
  union all
  select 'policy ' || p.polname || ' on ' || c.relname, pg_get_expr(p.polqual, p.polrelid)
  from pg_policy p join pg_class c on c.oid = p.polrelid where ${ours}`

export interface WrittenCatalog {
  /** The major version of PostgreSQL that wrote the definitions: another one writes views otherwise. */
  postgres: number
  /** Triggers as they are; of functions and views a digest. */
  objects: Record<string, string>
}

const written = JSON.parse(readFileSync(new URL("catalog.json", import.meta.url), "utf8")) as WrittenCatalog

/** Triggers whole, functions and views as a digest. */
export function shortened({ object, definition }: SchemaObject): string {
  return object.startsWith("trigger ") ? definition : createHash("sha256").update(definition).digest("hex")
}

/** Objects that are not as this version made them. A function that no trigger calls may be an operator's own. */
export function strangeObjects(
  postgres: number,
  present: readonly SchemaObject[],
): { object: string; found: "ausente" | "outra definição" | "a mais" }[] {
  const found = new Map(present.map((each) => [each.object, shortened(each)]))
  const changed = Object.entries(written.objects)
    .filter(([object]) => postgres === written.postgres || !object.startsWith("view "))
    .filter(([object, definition]) => found.get(object) !== definition)
    .map(([object]) => ({ object, found: found.has(object) ? ("outra definição" as const) : ("ausente" as const) }))
  const added = [...found.keys()].filter((object) => !(object in written.objects) && !object.startsWith("function "))
  return [...changed, ...added.map((object) => ({ object, found: "a mais" as const }))]
}

/** A table whose rows' states are recorded (10_recorded_states.sql). */
export interface RecordedTable {
  table: string
  /** The primary key, its columns between commas. */
  key: string
  columns: string[]
}

/** As the triggers of this version say, whatever the database's do. */
export const recordedTables: readonly RecordedTable[] = Object.entries(written.objects).flatMap(
  ([object, definition]) => {
    const table = /^trigger (\w+)_are_recorded on \1$/.exec(object)?.[1]
    const args = /EXECUTE FUNCTION record_state\('(.*)'\)$/.exec(definition)?.[1]
    if (table === undefined || args === undefined) return []
    const [key = "", ...columns] = args.split("', '")
    return [{ table, key, columns }]
  },
)
