import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { repositoryFolder } from "./run-tool.ts"

const schemaFolder = join(repositoryFolder, "server/database/schema")
const schema = readdirSync(schemaFolder)
  .map((file) => readFileSync(join(schemaFolder, file), "utf8"))
  .join("\n")
const document = readFileSync(join(repositoryFolder, "docs/privacy.md"), "utf8")
const [personal = "", impersonal = ""] = document.split("## Columns of text without personal data")

/** Columns that may hold words of people: text, JSON and bytes. */
const columns = [...schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n([\s\S]*?)\n\)/gm)].flatMap(
  ([, table = "", body = ""]) =>
    [...body.matchAll(/^ {2}(?!constraint )(\w+) (?:text\[\]|text|jsonb|bytea)\b/gm)].map(
      ([, column = ""]) => `${table}.${column}`,
    ),
)

const namedIn = (text: string) => [...text.matchAll(/`(\w+\.\w+)`/g)].flatMap(([, name = ""]) => name)
/** Settings and files look the same. */
const isColumn = (name: string) =>
  new RegExp(`^create (?:unlogged )?table ${name.split(".")[0] ?? ""} `, "m").test(schema)

test("each column that may hold words of people is said to be personal or not", () => {
  expect(columns.length).toBeGreaterThan(200)
  const named = new Set([...namedIn(personal), ...namedIn(impersonal)])
  expect(columns.filter((column) => !named.has(column))).toEqual([])
})

test("no column is said to be both, and each that is named exists", () => {
  const [above, below] = [namedIn(personal).filter(isColumn), namedIn(impersonal)]
  expect(above.filter((column) => below.includes(column))).toEqual([])
  expect([...above, ...below].filter((column) => !columns.includes(column))).toEqual([])
})

test("columns whose names speak of people stand among the personal ones", () => {
  const ofPeople =
    /(?:^|_)(?:email|cpf|phone|payer|pix_key|bank_data|bank_account|user_agent|device)(?:_|$)|\.address$|_address$/
  const kinds = new Set(["withdrawals.pix_key_kind", "destinations.pix_key_kind", "users.email_state"])
  const above = new Set(namedIn(personal))
  expect(
    columns.filter((column) => ofPeople.test(column.replace(".", "_")) && !kinds.has(column) && !above.has(column)),
  ).toEqual(["payer_token_key.key"])
})
