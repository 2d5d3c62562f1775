import { readFileSync } from "node:fs"

import { afterAll, describe, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { readCatalogText, writeTableTypes } from "../../../tools/db-types.ts"
import { createEmptyDatabase } from "../../test-support/empty-database.ts"
import { type Catalog, readCatalog } from "../../test-support/read-catalog.ts"
import { migrate } from "./migrate.ts"

const log = createLog("silent")
const written = readFileSync(new URL("schema.ts", import.meta.url), "utf8")

const database = await createEmptyDatabase()
await migrate({ ownerUrl: database.url, log })
const catalog = await readCatalog(database.owner)

afterAll(() => database.drop())

/** The catalog as it would be after these statements. */
async function catalogWith(planted: string): Promise<Catalog> {
  await database.owner.query("begin")
  try {
    await database.owner.query(planted)
    return await readCatalog(database.owner)
  } finally {
    await database.owner.query("rollback")
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

describe("what a reader finds", () => {
  test("every constraint and index has a name of ours", () => {
    expect(withoutNameOfOurs(catalog)).toEqual([])
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
    expect(withoutComment(catalog)).toEqual([])
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

/** Such as `MailsTable.attempts: Generated<number>`. */
function columnsIn(types: string): string[] {
  const interfaces = types.split(/^export interface /m).slice(1)
  return interfaces.flatMap((text) => {
    const [head = "", ...lines] = text.split("\n")
    return lines.filter((line) => line.startsWith("  ")).map((line) => `${head.split(" ")[0]}.${line.trim()}`)
  })
}

/** The types that these statements would change or add. */
async function newTypesWith(planted: string): Promise<string[]> {
  await database.owner.query("begin")
  try {
    await database.owner.query(planted)
    const known = new Set(columnsIn(written))
    return columnsIn(await writeTableTypes(database.owner)).filter((column) => !known.has(column))
  } finally {
    await database.owner.query("rollback")
  }
}

test("the catalog that verify compares is of this schema: npm run db:types writes it anew", async () => {
  expect(await readCatalogText(database.owner)).toBe(readFileSync(new URL("catalog.json", import.meta.url), "utf8"))
})

describe("the table types", () => {
  test("are of this schema: npm run db:types writes them anew", async () => {
    expect(await writeTableTypes(database.owner)).toBe(written)
  })

  test.for([
    ["alter table mails rename last_error to error", ["MailsTable.error: string | null"]],
    ["alter table mails add surprise text", ["MailsTable.surprise: string | null"]],
    ["alter table mails alter attempts drop default", ["MailsTable.attempts: number"]],
    ["alter table mails alter attempts type text using 'x'", ["MailsTable.attempts: Generated<string>"]],
    ["alter table charges alter pix_code set not null", ["ChargesTable.pix_code: string"]],
    ["alter table mails alter dedupe_key drop not null", ["MailsTable.dedupe_key: string | null"]],
    ["alter table mails alter dedupe_key set default 'x'", ["MailsTable.dedupe_key: Generated<string>"]],
    [
      "alter table chain_head add y text generated always as (note) stored",
      ["ChainHeadTable.y: ColumnType<string | null, never, never>"],
    ],
    [
      "create table bare (id int); grant insert on bare to tilinta_app",
      ["BareTable.id: number | null", "Schema.bare: BareTable"],
    ],
    [
      `alter table refunds drop constraint refunds_origin_is_known,
       add constraint refunds_origin_is_known check (origin in ('seller', 'admin'))`,
      ['RefundsTable.origin: "seller" | "admin"'],
    ],
    [
      "grant update (bank_data) on withdrawals to tilinta_app",
      [
        'WithdrawalsTable.bank_data: ColumnType<ColumnTypes["withdrawals.bank_data"] | null, string | null, string | null>',
      ],
    ],
  ] as const)("a change of the database alone is found: %s", async ([planted, lines]) => {
    expect(await newTypesWith(planted)).toEqual(lines)
  })

  test.for([
    [
      "alter table users drop column payment_mails cascade",
      "column-types.ts names what is no column: users.payment_mails",
    ],
    ["alter table mails add at time", "mails.at is of a type that is not known here: time without time zone"],
    [
      `alter table refunds drop constraint refunds_origin_is_known, add constraint refunds_origin_is_known
       check (origin in ('${"x".repeat(60)}', '${"y".repeat(60)}'))`,
      "refunds.origin needs a type in column-types.ts",
    ],
  ] as const)("what no type can be written for is refused: %s", async ([planted, message]) => {
    await expect(newTypesWith(planted)).rejects.toThrow(message)
  })
})
