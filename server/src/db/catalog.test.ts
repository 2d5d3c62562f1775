import { readFileSync } from "node:fs"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { createEmptyDatabase, type EmptyDatabase } from "../../test-support/empty-database.ts"
import { type Catalog, differencesBetween, readCatalog } from "../../test-support/read-catalog.ts"
import { readTableTypes, type TableTypes } from "../../test-support/read-table-types.ts"
import { typeDifferences } from "../../test-support/type-differences.ts"
import { migrate } from "./migrate.ts"

const log = createLog("silent")
const schemaFiles = fileURLToPath(new URL("../../database/schema/", import.meta.url))

let migrated: EmptyDatabase
let written: EmptyDatabase
let wanted: Catalog

beforeAll(async () => {
  ;[migrated, written] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()])
  const folder = await mkdtemp(join(tmpdir(), "tilinta-schema-"))
  await writeFile(join(folder, "0001_schema.sql"), await readSchemaFiles())
  await migrate({ ownerUrl: migrated.url, log })
  await migrate({ ownerUrl: written.url, log, folder })
  await rm(folder, { recursive: true })
  wanted = await readCatalog(written.owner)
})

afterAll(async () => {
  await Promise.all([migrated, written].map((database) => database.drop()))
})

/** In the order of their numbers. */
async function readSchemaFiles(): Promise<string> {
  const names = (await readdir(schemaFiles)).filter((name) => name.endsWith(".sql")).toSorted()
  const files = await Promise.all(names.map((name) => readFile(join(schemaFiles, name), "utf8")))
  return files.join("\n")
}

/** The catalog as it would be after these statements. */
async function catalogWith(planted: string): Promise<Catalog> {
  await migrated.owner.query("begin")
  try {
    await migrated.owner.query(planted)
    return await readCatalog(migrated.owner)
  } finally {
    await migrated.owner.query("rollback")
  }
}

/** PostgreSQL invents these when a constraint or an index is not named. */
const inventedName = /_(pkey|fkey|check|excl|idx)\d*$/

function withoutNameOfOurs(catalog: Catalog): string[] {
  return [...catalog].flatMap(([object, facts]) => {
    const [kind = "", name = ""] = object.split(" ")
    if (kind !== "constraint" && kind !== "index") return []
    const columns = /UNIQUE \(([^)]*)\)/.exec(facts)?.[1]?.replaceAll(", ", "_")
    const isInvented = inventedName.test(name) || (columns !== undefined && name.endsWith(`_${columns}_key`))
    return isInvented ? [object] : []
  })
}

const relationKinds: Record<string, string> = { r: "table", p: "table", v: "view" }

/** As PostgreSQL calls what a comment describes. */
function describedAs(object: string, facts: string): string | undefined {
  const [kind = "", ...name] = object.split(" ")
  if (kind === "function" || kind === "type") return object
  if (kind === "trigger") return object.replace(" on ", " on table ")
  const relationKind = kind === "relation" ? relationKinds[(JSON.parse(facts) as { kind: string }).kind] : undefined
  return relationKind === undefined ? undefined : `${relationKind} ${name.join(" ")}`
}

function withoutComment(catalog: Catalog): string[] {
  return [...catalog].flatMap(([object, facts]) => {
    const description = describedAs(object, facts)
    return description === undefined || catalog.has(`comment on ${description}`) ? [] : [object]
  })
}

describe("a migrated database and one made from the schema files", () => {
  test("are equal, down to the bodies of functions and the grants", async () => {
    expect(wanted.size).toBeGreaterThan(1_500)
    expect(differencesBetween(await readCatalog(migrated.owner), wanted)).toEqual({})
  })

  test.for([
    [
      "a grant that is missing",
      "revoke insert on refunds from tilinta_app",
      "grant INSERT on relation refunds to tilinta_app",
    ],
    [
      "a column that may be written",
      "grant update (amount_cents) on withdrawals to tilinta_app",
      "grant UPDATE on column withdrawals.amount_cents to tilinta_app",
    ],
    [
      "a function that everybody may call",
      "grant execute on function hold_balances(text[]) to public",
      "grant EXECUTE on function hold_balances(text[]) to public",
    ],
    [
      "a grant on all that comes later",
      "alter default privileges grant delete on tables to tilinta_app",
      "grant DELETE on objects created later, type r to tilinta_app",
    ],
    [
      "a changed function body",
      `create or replace function sao_paulo_day(moment timestamptz) returns date
       language sql stable parallel safe return (moment at time zone 'UTC')::date`,
      "function sao_paulo_day(timestamp with time zone)",
    ],
    [
      "a function without its settings",
      "alter function hold_balances(text[]) reset all",
      "function hold_balances(text[])",
    ],
    [
      "a function that runs as its caller",
      "alter function apply_journal() security invoker",
      "function apply_journal()",
    ],
    ["a missing comment", "comment on table users is null", "comment on table users"],
    ["another null", "alter table charges alter payer_name set not null", "column charges.payer_name"],
    ["another default", "alter table refunds alter attempts set default 1", "column refunds.attempts"],
    ["another type", "alter table mails alter last_error type varchar(80)", "column mails.last_error"],
    ["another storage", "alter table psp_inbox alter body set storage extended", "column psp_inbox.body"],
    ["another fill factor", "alter table charges set (fillfactor = 90)", "relation charges"],
    ["an index less", "drop index charges_removal_due", "index charges_removal_due"],
    [
      "another constraint",
      `alter table payments drop constraint payments_amount_is_positive,
       add constraint payments_amount_is_positive check (amount_cents >= 0)`,
      "constraint payments_amount_is_positive of payments",
    ],
    [
      "a trigger that is switched off",
      "alter table journal disable trigger journal_is_final",
      "trigger journal_is_final on journal",
    ],
    [
      "another view",
      `create or replace view unfolded_paid_days as
       select seller_id, day, count, gross_cents from kept_paid_day_totals`,
      "view unfolded_paid_days",
    ],
    ["another sequence", "alter sequence psp_inbox_id_seq increment by 2", "sequence psp_inbox_id_seq"],
    ["an extension more", "create extension btree_gin", "extension btree_gin"],
    ["an enum more", "create type colour as enum ('red')", "type colour"],
  ] as const)("%s is found", async ([, planted, object]) => {
    const differences = Object.keys(differencesBetween(await catalogWith(planted), wanted))
    expect(differences).toContain(object)
  })
})

describe("what a reader finds", () => {
  test("every constraint and index has a name of ours", () => {
    expect(withoutNameOfOurs(wanted)).toEqual([])
  })

  test.for([
    ["alter table users add check (name <> '')", "constraint users_name_check of users"],
    ["alter table users add unique (phone)", "constraint users_phone_key of users"],
    ["alter table mails add foreign key (user_id) references users", "constraint mails_user_id_fkey of mails"],
    ["create index on mails (user_id)", "index mails_user_id_idx"],
  ] as const)("a name that PostgreSQL invented is found: %s", async ([planted, object]) => {
    expect(withoutNameOfOurs(await catalogWith(planted))).toContain(object)
  })

  test("every table, view, type, function and trigger says what it is for", () => {
    expect(withoutComment(wanted)).toEqual([])
  })

  test.for([
    ["create table bare (id int)", "relation bare"],
    ["create view bare as select 1 as one", "relation bare"],
    ["create type bare as (id int)", "type bare"],
    ["comment on function fold_text(text) is null", "function fold_text(text)"],
    ["comment on trigger charges_are_kept on charges is null", "trigger charges_are_kept on charges"],
  ] as const)("an object without comment is found: %s", async ([planted, object]) => {
    expect(withoutComment(await catalogWith(planted))).toContain(object)
  })
})

/** The types as they would be with one piece of their text replaced. */
function typesWith(file: string, before: string, after: string): TableTypes {
  return readTableTypes((path) => {
    const text = readFileSync(path, "utf8")
    if (!path.endsWith(file)) return text
    expect(text).toContain(before)
    return text.replace(before, after)
  })
}

describe("the table types", () => {
  const types = readTableTypes()

  test("agree with the database: names, types, null, defaults, lists of words", () => {
    expect(types.size).toBeGreaterThan(35)
    expect(typeDifferences(types, wanted)).toEqual([])
  })

  test.for([
    ["alter table mails rename last_error to error", ["mails.error: no type", "mails.last_error: no column"]],
    ["alter table mails add surprise text", ["mails.surprise: no type"]],
    ["alter table mails alter attempts type text using 'x'", ["mails.attempts: type"]],
    ["alter table mails alter attempts drop default", ["mails.attempts: omitted without default"]],
    [
      "alter table mails alter to_address set not null",
      ["mails.to_address: null", "mails.to_address: omitted without default"],
    ],
    ["alter table mails alter dedupe_key drop not null", ["mails.dedupe_key: null"]],
    [
      "alter table withdrawals alter search_text drop expression",
      ["withdrawals.search_text: written though generated"],
    ],
    ["create table bare (id int); grant insert on bare to tilinta_app", ["bare: written without a type"]],
    [
      `alter table refunds drop constraint refunds_origin_is_known,
       add constraint refunds_origin_is_known check (origin in ('seller', 'admin'))`,
      ["refunds.origin: other words"],
    ],
  ] as const)("a change of the database alone is found: %s", async ([planted, differences]) => {
    expect(typeDifferences(types, await catalogWith(planted))).toEqual(differences)
  })

  test.for([
    ["people-tables.ts", "phone: string", "telephone: string", ["users.phone: no type", "users.telephone: no column"]],
    ["people-tables.ts", "phone: string", "phone: number", ["users.phone: type"]],
    ["people-tables.ts", "phone: string", "phone: string | null", ["users.phone: null"]],
    ["charge-tables.ts", "expires_at: Date | null", "expires_at: Date", ["charge_pages.expires_at: null"]],
    [
      "charge-tables.ts",
      "fee_cents: Cents",
      "fee_cents: Generated<Cents>",
      ["charges.fee_cents: omitted without default"],
    ],
    ["schema.ts", "  users: UsersTable\n", "", ["users: written without a type"]],
    ["refund-status.ts", '"bank"', '"banco"', ["refunds.origin: other words"]],
  ] as const)("a change of the types alone is found: %s, %s → %s", ([file, before, after, differences]) => {
    expect(typeDifferences(typesWith(file, before, after), wanted)).toEqual(differences)
  })
})
