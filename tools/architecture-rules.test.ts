import { relative } from "node:path"
import { describe, expect, test } from "vitest"
import { checkArchitecture } from "./architecture/architecture-rules.ts"
import { glossary, isSource, readSourceTree } from "./architecture/source-tree.ts"
import { repositoryFolder, runTool } from "./run-tool.ts"

const soundTree: Record<string, string> = {
  "contract/src/vocabulary/money.ts": `export type Cents = number
    export const reaisFromCents = (cents: number) => cents / 100`,
  "contract/src/charges.ts": `import * as z from "zod"
    import type { Cents } from "./vocabulary/money.ts"
    export const amount = z.number().transform((value) => value as Cents)`,
  "simulator/src/main.ts": "export {}",
  "server/src/main.ts": `import { chargeRoutes } from "#selling/charges/routes"
    import { createApiPix } from "#psp/api-pix/api-pix"
    chargeRoutes(createApiPix())`,
  "server/src/selling/charges/routes.ts": `import type { Deps } from "#start/deps"
    import { createCharge } from "./create.ts"
    export const chargeRoutes = (deps: Deps) => createCharge(deps)`,
  "server/src/jobs/schedule-job.ts": "export const schedule = 1",
  "server/src/selling/charges/create.ts": `import { insertCharge } from "./table.ts"
    import { findUser } from "#people/users/find"
    import { postTransaction } from "#ledger/post-transaction"
    import type { Psp } from "#psp/psp"
    export async function createCharge(db: Db, psp: Psp) {
      await psp.createCharge()
      return db.transaction().execute((tx) => storeCharge(tx, findUser()))
    }
    async function storeCharge(tx: Tx, user: string) {
      await insertCharge(tx, user)
      await postTransaction(tx)
    }`,
  "server/src/selling/charges/table.ts": `import type { Tx } from "#db/transaction"
    export async function insertCharge(tx: Tx, user: string) {
      await tx.insertInto("charges").values({ user }).execute()
    }
    export function listCharges(db: Db) {
      return db.selectFrom("charges").execute()
    }`,
  "server/src/start/deps.ts": "export type Deps = unknown",
  "server/src/start/jobs.ts": `import { createCharge } from "#selling/charges/create"
    export const handler = createCharge`,
  "server/src/people/users/find.ts": "export const findUser = () => 'ana'",
  "server/src/people/users/reads.ts": "export const findUserRow = (db: Db) => db.selectFrom('users')",
  "server/src/ledger/post-transaction.ts": `import { Tx } from "#db/transaction"
    export const postTransaction = (tx: Tx) => tx.insertInto("journal").execute()`,
  "server/src/psp/psp.ts": "export type Psp = { createCharge(): Promise<void> }",
  "server/src/psp/api-pix/api-pix.ts": `import type { Psp } from "#psp/psp"
    export const createApiPix = (): Psp => ({ createCharge: async () => { await fetch("/cob") } })`,
  "server/src/db/transaction.ts": "export type Tx = unknown",
  "server/src/kit/clock.ts": "export const now = () => new Date()",
  "web/src/app/router.tsx": `import { ChargesPage } from "#seller/charges/charges-page.tsx"
    export const router = ChargesPage`,
  "web/src/seller/charges/charges-page.tsx": `import { Button } from "#ui/button.tsx"
    export const ChargesPage = () => <Button />`,
  "web/src/ui/button.tsx": "export const Button = () => <button />",
  "web/src/admin/users/users-page.tsx": "export const UsersPage = () => <p />",
  "web/src/checkout/client.tsx": `import { Button } from "#ui/button.tsx"
    import "./checkout.css"
    export const Checkout = Button`,
}

const wordTable = `## Words that are not used

| not         | write            | where      | but |
| ----------- | ---------------- | ---------- | --- |
| \`wish\`      | input, request   | everywhere | –   |
| \`told\`      | notified, known  | names      | –   |
| \`short way\` | fast path        | everywhere | –   |`

function violationsOf(planted: Record<string, string>) {
  return checkArchitecture(new Map(Object.entries({ ...soundTree, ...planted })))
}

/** The small tree above exports what nobody imports: that rule has tests of its own. */
function rulesBrokenBy(planted: Record<string, string>): string[] {
  const violations = violationsOf(planted).filter(({ rule }) => rule !== "exports-are-imported")
  return [...new Set(violations.map(({ rule, file }) => `${rule} in ${file}`))]
}

test("a tree that keeps the rules has no violation", () => {
  expect(rulesBrokenBy({})).toEqual([])
})

test.each([".", "web", "e2e"])(
  "the check reads every file that the compiler reads in project '%s'",
  async (project) => {
    const { output } = await runTool("tsc", ["-p", project, "--listFilesOnly"], { output: "kept" })
    const compiled = output
      .split("\n")
      .map((path) => relative(repositoryFolder, path.trim()))
      .filter((path) => isSource(path) && !path.includes("node_modules/"))
    const tree = readSourceTree(repositoryFolder)
    expect(compiled.length).toBeGreaterThan(5)
    // The client's types are written by a check before the others, and held by no commit.
    const written = "client/src/api-types.ts"
    expect(compiled.filter((path) => !tree.has(path) && path !== written)).toEqual([])
  },
)

describe("rule 1: arrows point down only", () => {
  test.each([
    ["kit knows db", "server/src/kit/ids.ts", "#db/transaction"],
    ["db knows mail", "server/src/db/pool.ts", "#mail/send"],
    ["the ledger knows a floor", "server/src/ledger/statement.ts", "#people/users/find"],
    ["the ledger knows its neighbour psp", "server/src/ledger/statement.ts", "#psp/psp"],
    ["http knows jobs", "server/src/http/x.ts", "#jobs/schedule-job"],
    ["jobs know a floor", "server/src/jobs/x.ts", "#selling/charges/create"],
    ["a part knows main.ts", "server/src/http/x.ts", "#main"],
    ["a floor knows the start", "server/src/selling/charges/x.ts", "#start/deps"],
    ["http knows a floor", "server/src/http/x.ts", "#people/users/find"],
    ["a route knows more of the start than its types", "server/src/selling/charges/other-routes.ts", "#start/jobs"],
    ["a folder outside the map knows the domain", "server/src/utils/x.ts", "#people/users/find"],
    ["web knows the server", "web/src/api/client.ts", "../../../server/src/kit/clock.ts"],
    ["the contract knows the server", "contract/src/x.ts", "../../server/src/kit/clock.ts"],
    ["the contract knows a package other than zod", "contract/src/x.ts", "fastify"],
    ["the vocabulary knows zod", "contract/src/vocabulary/x.ts", "zod"],
  ])("%s", (_name, file, specifier) => {
    const planted = {
      "server/src/mail/send.ts": "export const send = 1",
      [file]: `import * as planted from "${specifier}"\nexport { planted }`,
    }
    expect(rulesBrokenBy(planted)).toContain(`arrows-point-down in ${file}`)
  })

  test.each([
    ["import type", 'import type { X } from "#people/users/find"'],
    ["inline type import", 'import { type X } from "#people/users/find"'],
    ["import(…) as a type", 'export type X = import("#people/users/find").X'],
    ["re-export", 'export * from "#people/users/find"'],
    ["import()", 'export const x = () => import("#people/users/find")'],
  ])("seen through %s", (_name, text) => {
    expect(rulesBrokenBy({ "server/src/ledger/x.ts": text })).toContain("arrows-point-down in server/src/ledger/x.ts")
  })

  test("two files that know each other are a cycle, also by types alone", () => {
    const planted = {
      "server/src/kit/a.ts": 'import type { B } from "./b.ts"\nexport type A = B',
      "server/src/kit/b.ts": 'import type { A } from "./a.ts"\nexport type B = A',
    }
    expect(rulesBrokenBy(planted)).toEqual(["no-cycles in server/src/kit/b.ts"])
  })

  test.each(["./nowhere.ts", "#domain/nowhere", "@tilinta/contract/nowhere"])(
    "an import that leads nowhere is not passed over: %s",
    (specifier) => {
      const planted = { "server/src/kit/x.ts": `import "${specifier}"` }
      expect(rulesBrokenBy(planted)).toEqual(["imports-resolve in server/src/kit/x.ts"])
    },
  )

  test.each([
    ["another folder by a relative path", "server/src/mail/x.ts", "../kit/clock.ts"],
    ["the own folder by its full name", "server/src/kit/x.ts", "#kit/clock"],
  ])("one way to write an import: %s", (_name, file, specifier) => {
    expect(rulesBrokenBy({ [file]: `import "${specifier}"` })).toEqual([`import-style in ${file}`])
  })
})

describe("rule 2: floors of the business, one writer for each table", () => {
  test.each([
    ["people know selling", "server/src/people/users/x.ts", "#selling/charges/create"],
    ["platform knows people", "server/src/platform/audit/x.ts", "#people/users/find"],
    ["money knows the bank", "server/src/money/payments/x.ts", "#bank/psp-inbox/process"],
    ["selling knows an overview", "server/src/selling/charges/x.ts", "#overviews/reports/dashboard"],
  ])("refused: %s", (_name, file, specifier) => {
    const planted = {
      "server/src/bank/psp-inbox/process.ts": "export const planted = 1",
      "server/src/overviews/reports/dashboard.ts": "export const planted = 1",
      [file]: `import type { planted } from "${specifier}"\nexport type X = typeof planted`,
    }
    expect(rulesBrokenBy(planted)).toEqual([`floors-point-down in ${file}`])
  })

  test("routes, views and pages stand above all floors", () => {
    const text = 'import { createCharge } from "#selling/charges/create"\nexport const x = createCharge'
    for (const name of ["routes", "admin-routes", "views", "pages"]) {
      expect(rulesBrokenBy({ [`server/src/people/users/${name}.ts`]: text })).toEqual([])
    }
  })

  const twoNouns = (floor: string, one: string, other: string) => ({
    [`server/src/${floor}/${one}/a.ts`]: `import { c } from "#${floor}/${other}/c"\nexport const a = c`,
    [`server/src/${floor}/${other}/b.ts`]: `import { d } from "#${floor}/${one}/d"\nexport const b = d`,
    [`server/src/${floor}/${other}/c.ts`]: "export const c = 1",
    [`server/src/${floor}/${one}/d.ts`]: "export const d = 1",
  })

  test("two nouns of a floor that know each other, though no two files do", () => {
    expect(rulesBrokenBy(twoNouns("platform", "audit", "exports"))).toEqual([
      "nouns-form-no-circle in server/src/platform/exports/b.ts",
    ])
  })

  test("the nouns of money are one subject and may know each other", () => {
    expect(rulesBrokenBy(twoNouns("money", "payments", "refunds"))).toEqual([])
  })

  test.each([
    ["the query builder", "export const add = (tx: Tx) => tx.updateTable('charges').execute()"],
    ["a table with an alias", "export const add = (tx: Tx) => tx.deleteFrom('charges as c').execute()"],
    ["a template", "export const add = (tx: Tx) => sql`update charges as c set status = 'paid'`.execute(tx)"],
    [
      "a statement within another",
      "export const add = (tx: Tx) => sql`with x as (insert into charges (id) values (1)) select 1`",
    ],
    ["SQL in a constant", "const text = 'delete from charges'\nexport const add = (tx: Tx) => tx.query(text)"],
    ["a name put together", "export const add = (tx: Tx, name: string) => sql`delete from ${name}`.execute(tx)"],
  ])("refused: another noun's table by %s", (_name, text) => {
    const file = "server/src/people/users/table.ts"
    const owner = `export const one = (tx: Tx) => tx.insertInto("charges").execute()
      export const two = (tx: Tx) => tx.updateTable("charges").execute()`
    const planted = { "server/src/selling/charges/new-charges-table.ts": owner, [file]: text }
    expect(rulesBrokenBy(planted)).toEqual([`one-noun-writes-a-table in ${file}`])
  })

  test("reading another noun's table is fine", () => {
    const text = "export const read = (db: Db) => sql`select update_count from charges for share`.execute(db)"
    expect(rulesBrokenBy({ "server/src/people/users/table.ts": text })).toEqual([])
  })
})

describe("rule 2: SQL stands in reads and tables, each table private to its folder", () => {
  test("another noun's table", () => {
    const file = "server/src/money/payments/x.ts"
    expect(rulesBrokenBy({ [file]: 'import "#selling/charges/table"' })).toEqual([`tables-are-private in ${file}`])
  })

  test("the lists of what is forgotten name the statements of every table", () => {
    const planted = { "server/src/start/retention.ts": 'import "#selling/charges/table"' }
    expect(rulesBrokenBy(planted)).toEqual([])
    expect(rulesBrokenBy({ "server/src/start/jobs.ts": 'import "#selling/charges/table"' })).toEqual([
      "tables-are-private in server/src/start/jobs.ts",
    ])
  })

  test("another noun's reads are for everybody above", () => {
    expect(rulesBrokenBy({ "server/src/money/payments/x.ts": 'import "#people/users/reads"' })).toEqual([])
  })

  test.each(["updateTable('users')", "selectFrom('users').forUpdate()"])("reads change nothing: %s", (query) => {
    const file = "server/src/people/users/reads.ts"
    expect(rulesBrokenBy({ [file]: `export const x = (tx: Tx) => tx.${query}` })).toEqual([
      `reads-change-nothing in ${file}`,
    ])
  })

  test.each(["#people/users/reads", "./table.ts", "#events/x", "#mail/x"])("rules know no I/O: %s", (specifier) => {
    const file = "server/src/selling/charges/rules.ts"
    const planted = { "server/src/events/x.ts": "export {}", "server/src/mail/x.ts": "export {}" }
    expect(rulesBrokenBy({ ...planted, [file]: `import "${specifier}"` })).toContain(`rules-are-pure in ${file}`)
  })

  test("a verb never knows a route", () => {
    const file = "server/src/selling/charges/x.ts"
    expect(rulesBrokenBy({ [file]: 'import "./routes.ts"' })).toEqual([`routes-are-not-imported in ${file}`])
  })

  test.each([
    "sql`select 1`",
    "sql<number>`select 1`",
    "sql.raw`select 1`",
    'prepared("x")`select 1`',
    'prepared<Row>("x")`select 1`',
    "db.selectFrom('users')",
    "db.insertInto('users')",
    "db.updateTable('users')",
    "db.deleteFrom('users')",
    "db.with('x', y).mergeInto('users')",
    "pool.query('select 1')",
  ])("in a verb: %s", (query) => {
    const file = "server/src/people/users/x.ts"
    expect(rulesBrokenBy({ [file]: `export const x = ${query}` })).toEqual([`sql-in-reads-and-tables in ${file}`])
  })
})

describe("rule 3: access to providers and the ledger", () => {
  test("a floor never knows a provider", () => {
    const file = "server/src/selling/charges/x.ts"
    expect(rulesBrokenBy({ [file]: 'import type { ApiPix } from "#psp/api-pix/api-pix"' })).toEqual([
      `floors-know-no-provider in ${file}`,
    ])
  })

  test.each(["#ledger/post-transaction", "./table.ts"])("a route never knows %s", (specifier) => {
    const file = "server/src/selling/charges/other-routes.ts"
    expect(rulesBrokenBy({ [file]: `import "${specifier}"` })).toContain(`routes-know-no-storage in ${file}`)
  })
})

describe("rule 4: whatever writes takes `tx: Tx` first", () => {
  const insert = "insertInto('users').execute()"

  test.each([
    ["a database in its place", `export function add(db: Db) { return db.${insert} }`],
    ["an optional one", `export function add(tx?: Tx) { return tx.${insert} }`],
    ["one that comes second", `export function add(id: string, tx: Tx) { return tx.${insert} }`],
    ["one with a default", `export function add(tx: Tx = db) { return tx.${insert} }`],
    ["one that may be a database", `export function add(tx: Tx | Db) { return tx.${insert} }`],
    ["an arrow function", `export const add = (db: Db) => db.${insert}`],
    ["an sql template", "export const add = (db: Db) => sql`update users set a = 1`.execute(db)"],
    ["a lock", "export const lock = (db: Db) => db.selectFrom('users').forUpdate().execute()"],
    ["SQL in a constant", "const text = 'delete from users'\nexport const remove = (db: Db) => db.query(text)"],
    [
      "a second write beside one statement",
      "export const add = (db: Db) => oneStatement(sql`delete from users`, () => sql`delete from users`.execute(db))",
    ],
  ])("refused: %s", (_name, text) => {
    const file = "server/src/people/users/table.ts"
    expect(rulesBrokenBy({ [file]: text })).toEqual([`writes-take-tx in ${file}`])
  })

  test("the ledger is under the same rule", () => {
    const file = "server/src/ledger/x.ts"
    expect(rulesBrokenBy({ [file]: `export const add = (db: Db) => db.${insert}` })).toEqual([
      `writes-take-tx in ${file}`,
    ])
  })

  test("a write that only returns its statement needs none", () => {
    const text = "export const remove = (id: string) => oneStatement(sql`delete from users where id = ${id}`, idsOf)"
    expect(rulesBrokenBy({ "server/src/people/users/table.ts": text })).toEqual([])
  })

  test.each([
    "(db: Db) => store(db as Tx)",
    "(db: Db) => store(db as unknown as Tx)",
    "(db: Db) => store(<Tx>db)",
    "(db: Db) => store(db as Db & Tx)",
    "(write: (tx: Tx) => unknown) => write as (db: Db) => unknown",
    "(db: Db) => createCharges(db as LookupDb)",
    "(id: string) => ({ id }) as OneStatement<string>",
  ])("a cast claims none: %s", (text) => {
    const file = "server/src/people/users/x.ts"
    expect(rulesBrokenBy({ [file]: `export const x = ${text}` })).toEqual([`no-cast-database-handles in ${file}`])
  })

  test("a callback inside a function that takes it is fine", () => {
    const text = `export function add(tx: Tx, rows: Row[]) { return rows.map(() => tx.${insert}) }`
    expect(rulesBrokenBy({ "server/src/people/users/table.ts": text })).toEqual([])
  })
})

describe("rule 5: no network inside a transaction", () => {
  test.each([
    ["a block", "export const x = (db) => db.transaction().execute(async (tx) => { await store(tx) })"],
    ["a chain with options", "export const x = (db) => db.transaction().setAccessMode('x').execute((tx) => { y(tx) })"],
    ["a call that does not hand the transaction on", "export const x = (db) => inTransaction(db, (tx) => store(db))"],
    ["a method of something", "export const x = (db, psp) => inTransaction(db, (tx) => psp.send(tx))"],
    ["a provider in reach", "export async function x(tx: Tx, { psp }: Deps) { await store(tx) }"],
    ["a provider called", "export async function x(tx: Tx, deps: Deps) { await deps.psp.createCharge() }"],
    ["fetch", "export async function x(tx: Tx) { await fetch('http://x') }"],
    ["mail", "export async function x(tx: Tx, mailer: Mailer) { await mailer.send() }"],
  ])("refused: %s", (_name, text) => {
    const file = "server/src/selling/charges/x.ts"
    expect(rulesBrokenBy({ [file]: text })).toEqual([`no-network-in-transaction in ${file}`])
  })

  test("one call to a named function is how it is done", () => {
    const text = `export const x = (db) => inTransaction(db, (tx) => store(tx, 1))
      export const y = (db) => db.transaction().execute(store)
      async function store(tx: Tx, count: number) { await insertRow(tx, { psp: "name" }) }`
    expect(rulesBrokenBy({ "server/src/selling/charges/x.ts": text })).toEqual([])
  })
})

describe("rule 6: web areas stand apart", () => {
  test.each([
    ["an area knows another", "web/src/seller/x.ts", "#admin/users/users-page.tsx"],
    ["an area knows the checkout", "web/src/auth/x.ts", "#checkout/client.tsx"],
    ["the checkout knows the app", "web/src/checkout/x.ts", "#app/router.tsx"],
    ["the design system knows an area", "web/src/ui/x.ts", "#seller/charges/charges-page.tsx"],
  ])("%s", (_name, file, specifier) => {
    expect(rulesBrokenBy({ [file]: `import "${specifier}"` })).toEqual([`web-areas-stand-apart in ${file}`])
  })
})

describe("rule 7: centavos are reckoned with in money.ts", () => {
  test.each([
    "reais * 100",
    "100 * reais",
    "cents / 100",
    "amount.toFixed(2)",
    "a + feeCents",
    "charge.amountCents - 1",
    "-1 + row.amountCents",
    "(totalCents += 1)",
    "totalCents++",
  ])("refused elsewhere: %s", (expression) => {
    const file = "server/src/selling/charges/x.ts"
    expect(rulesBrokenBy({ [file]: `export const x = ${expression}` })).toEqual([`cents-arithmetic in ${file}`])
  })

  test("comparing amounts, and arithmetic in SQL, is fine", () => {
    const text = "export const x = (tx: Tx) => aCents > bCents && sql`select amount_cents + 1`"
    expect(rulesBrokenBy({ "server/src/ledger/x.ts": text })).toEqual([])
  })
})

describe("packages are imported by their front door", () => {
  test.each([
    ["a file in lib", 'import request from "undici/lib/api/api-request.js"'],
    ["a type from dist", 'export type X = import("@scope/part/dist/types.js").X'],
    ["a re-export from build", 'export * from "part/build/main"'],
    ["a file in src, loaded later", 'export const x = () => import("part/src/main.ts")'],
  ])("refused: %s", (_name, text) => {
    for (const file of ["server/src/kit/x.ts", "server/src/kit/x.test.ts"]) {
      expect(rulesBrokenBy({ [file]: text })).toEqual([`packages-by-the-front-door in ${file}`])
    }
  })

  test.each(["zod/mini", "react-dom/client", "@hookform/resolvers/zod", "node:fs/promises", "lib"])(
    "a documented entry is fine: %s",
    (specifier) => {
      expect(rulesBrokenBy({ "server/src/kit/x.ts": `import "${specifier}"` })).toEqual([])
    },
  )
})

describe("an export has an importer", () => {
  const unimported = (planted: Record<string, string>) =>
    violationsOf(planted).flatMap(({ rule, file, message }) =>
      rule === "exports-are-imported" && file in planted ? [message] : [],
    )
  const file = "server/src/kit/x.ts"
  const importer = "server/src/kit/y.ts"

  test.each([
    ["a constant", "export const planted = 1"],
    ["a function", "export function planted() {}"],
    ["a type", "export type planted = 1"],
    ["one that its own file uses", "export const planted = 1\nconst other = planted"],
    ["a re-export", "const planted = 1\nexport { planted }"],
  ])("refused: %s that no file imports", (_name, text) => {
    expect(unimported({ [file]: text })).toEqual(["no file imports 'planted'"])
  })

  test("another file's export of the same name doesn't count", () => {
    const planted = { [file]: "export const statusOf = 1", [importer]: 'import { statusOf } from "./z.ts"' }
    const other = { "server/src/kit/z.ts": "export const statusOf = 2" }
    expect(unimported({ ...planted, ...other })).toEqual(["no file imports 'statusOf'"])
  })

  test.each([
    'import { planted } from "./x.ts"',
    'import { planted as p } from "./x.ts"',
    'import type { planted } from "./x.ts"',
    'import * as x from "./x.ts"',
    'const x = await import("./x.ts")',
  ])("taken by %s", (text) => {
    expect(unimported({ [file]: "export const planted = 1", [importer]: text })).not.toContain(
      "no file imports 'planted'",
    )
  })
})

describe("rules of the house", () => {
  test.each([
    ["environment-is-read-once", "server/src/mail/x.ts", "export const url = process.env['SMTP_URL']"],
    ["pools-are-given", "server/src/people/users/x.ts", "const cacheOf = new WeakMap<Db, Cache>()"],
    ["pools-are-given", "server/src/people/users/x.ts", "const cacheOf = new Map<LookupDb, Cache>()"],
    ["pools-are-given", "server/src/people/users/x.ts", "export const x = (deps) => y({ ...deps, db: deps.lookupDb })"],
    ["http-is-not-imported", "server/src/mail/x.ts", 'import { request } from "node:http"\n'],
    ["rare-libraries-are-loaded-late", "server/src/mail/x.ts", 'import Document from "pdfkit"\n'],
    ["rare-libraries-are-loaded-late", "server/src/mail/x.ts", 'import { x } from "@simplewebauthn/server"\n'],
    ["no-skipped-tests", "server/src/mail/x.test.ts", ["test", "skip('later', () => {})"].join(".")],
    ["no-marks", "server/src/mail/x.ts", ["// TO", "DO: later"].join("")],
    ["linear-expressions", "server/src/mail/x.ts", "' '.replace(/\\s*\\(/g, '')"],
    ["linear-expressions", "contract/src/vocabulary/x.ts", "/^(?:a+)+$/.test('')"],
    ["linear-expressions", "web/src/ui/x.ts", "new RegExp('\\\\s+$', 'u')"],
    ["linear-expressions", "tools/x.ts", "RegExp(`[a-z]+${'x'}`)"],
    ["names-say-what", "server/src/mail/utils.ts", "export {}"],
    ["comments-begin-with-their-subject", "web/src/ui/x.ts", ["/*", "* What a link looks like. */"].join("")],
    ["comments-begin-with-their-subject", "web/src/ui/x.ts", ["export {} /", "/ Of the first kind."].join("")],
    ["comments-begin-with-their-subject", "web/src/ui/x.ts", ["/*", "*\n * Who asks again is found.\n */"].join("")],
    [
      "comments-begin-with-their-subject",
      "server/database/schema/x.sql",
      ["select 1; -", "- Whose row it is."].join(""),
    ],
    ["comments-begin-with-their-subject", "server/database/schema/x.sql", "comment on table x is\n  'What is left.';"],
  ])("%s", (rule, file, text) => {
    expect(rulesBrokenBy({ [file]: text })).toEqual([`${rule} in ${file}`])
  })

  test.each([
    ["a name", "server/src/mail/x.ts", "export function sendWishes() {}"],
    ["a type", "server/src/mail/x.ts", "export interface MailTold { id: string }"],
    ["a constant", "contract/src/x.ts", "export const MOST_WISHES = 3"],
    ["a file", "client/src/told-mail.ts", "export {}"],
    ["a comment", "simulator/src/x.ts", "/** The wish of a payer. */"],
    ["a test of its own", "server/src/mail/x.test.ts", "// two words in a row: the short way"],
  ])("words that are not used: %s", (_which, file, text) => {
    expect(rulesBrokenBy({ [glossary]: wordTable, [file]: text })).toEqual([`words-of-the-field in ${file}`])
  })

  test("words that are not used may be in a longer word, and some in comments, tests and other folders", () => {
    const planted = {
      [glossary]: wordTable,
      "server/src/mail/x.ts": "/** The payer told us. */\nexport const untoldSales = { told: 1 }",
      "server/src/mail/x.test.ts": "const told = 1",
      "tools/x.ts": "export const wish = 1",
    }
    expect(rulesBrokenBy(planted)).toEqual([])
  })

  test("the repository's glossary names the words", () => {
    const table = readSourceTree(repositoryFolder).get(glossary) ?? ""
    const file = "server/src/mail/x.ts"
    expect(rulesBrokenBy({ [glossary]: table, [file]: "const wish = 1" })).toEqual([`words-of-the-field in ${file}`])
  })

  test("a comment's second line may begin with any word", () => {
    const lines = ["The page shows", "what was paid.", "What is open comes next."]
    const text = lines.map((line) => `// ${line}`).join("\n")
    expect(rulesBrokenBy({ "web/src/ui/x.ts": text })).toEqual([])
  })
})
