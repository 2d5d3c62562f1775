import type pg from "pg"
import { functionsQuery } from "#db/catalog"

/** The facts of each object in the schema `public`: what a dump of the schema would contain. */
export type Catalog = Map<string, string>

const ours = `c.relnamespace = 'public'::regnamespace`
const notOfAnExtension = (table: string, alias: string) => `not exists (
  select from pg_depend d where d.classid = '${table}'::regclass and d.objid = ${alias}.oid and d.deptype = 'e')`

const relations = `
  select 'relation ' || c.relname as object,
    jsonb_build_object('kind', c.relkind, 'persistence', c.relpersistence, 'options', c.reloptions,
      'partitioned', pg_get_partkeydef(c.oid), 'bound', pg_get_expr(c.relpartbound, c.oid),
      'row security', c.relrowsecurity, 'method', (select amname from pg_am where oid = c.relam),
      'parents', (select array_agg(inhparent::regclass::text) from pg_inherits where inhrelid = c.oid)) as facts
  from pg_class c where ${ours} and c.relkind in ('r', 'p', 'v', 'm', 'S', 'c', 'f')`

const columns = `
  select 'column ' || c.relname || '.' || a.attname,
    jsonb_build_object('place', row_number() over (partition by c.oid order by a.attnum),
      'type', format_type(a.atttypid, a.atttypmod),
      'collation', (select collname from pg_collation where oid = a.attcollation), 'not null', a.attnotnull,
      'default', pg_get_expr(d.adbin, d.adrelid), 'generated', a.attgenerated, 'identity', a.attidentity,
      'storage', a.attstorage, 'compression', a.attcompression, 'options', a.attoptions)
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where ${ours} and c.relkind in ('r', 'p', 'v', 'm', 'c', 'f') and a.attnum > 0 and not a.attisdropped`

/** Without NOT NULL, which is compared with the column: only newer servers have a constraint for it. */
const constraints = `
  select 'constraint ' || n.conname || ' of ' || c.relname,
    jsonb_build_object('kind', n.contype, 'definition', pg_get_constraintdef(n.oid), 'valid', n.convalidated)
  from pg_constraint n join pg_class c on c.oid = n.conrelid where ${ours} and n.contype <> 'n'`

const indexes = `
  select 'index ' || c.relname, jsonb_build_object('definition', pg_get_indexdef(c.oid), 'unique', i.indisunique,
    'primary', i.indisprimary, 'valid', i.indisvalid, 'clustered', i.indisclustered)
  from pg_index i join pg_class c on c.oid = i.indexrelid where ${ours}`

const functions = `select object, jsonb_build_object('definition', definition) from (${functionsQuery}) f`

const triggers = `
  select 'trigger ' || t.tgname || ' on ' || c.relname,
    jsonb_build_object('definition', pg_get_triggerdef(t.oid), 'enabled', t.tgenabled)
  from pg_trigger t join pg_class c on c.oid = t.tgrelid where ${ours} and not t.tgisinternal`

const types = `
  select 'type ' || t.typname, jsonb_build_object('kind', t.typtype, 'base', t.typbasetype::regtype,
    'labels', (select array_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid))
  from pg_type t left join pg_class c on c.oid = t.typrelid
  where t.typnamespace = 'public'::regnamespace and t.typcategory <> 'A' and coalesce(c.relkind, 'c') = 'c'
    and ${notOfAnExtension("pg_type", "t")}`

/** PostgreSQL's own objects are numbered below 16384. */
const comments = `
  select 'comment on ' || pg_describe_object(d.classoid, d.objoid, d.objsubid), to_jsonb(d.description)
  from pg_description d where d.objoid >= 16384`

const everything = [relations, columns, constraints, indexes, functions, triggers, types, comments]

/** The catalog as the session sees it: a change that is not committed shows too. */
export async function readCatalog(session: pg.Client): Promise<Catalog> {
  const catalog: Catalog = new Map()
  for (const query of everything) {
    const { rows } = await session.query<{ object: string; facts: unknown }>(
      `select * from (${query}) o (object, facts)`,
    )
    for (const { object, facts } of rows) catalog.set(object, JSON.stringify(facts))
  }
  return catalog
}
