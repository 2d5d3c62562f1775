import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test, vi } from "vitest"
import { repositoryFolder, runTool } from "./run-tool.ts"

// Each compilation takes seconds of a whole core, of which other tests may leave little.
vi.setConfig({ testTimeout: 240_000 })

const errorCodesModule = "@tilinta/contract/vocabulary/error-codes"
const errorCodesFile = join(repositoryFolder, "contract/src/vocabulary/error-codes.ts")
// Git, the compiler and the linters ignore this folder, and imports resolve as they do in server/src.
const plantedFolder = join(repositoryFolder, "server/dist")

interface Planted {
  texts: readonly string[]
  /** Replaces the contract's own list of error codes. */
  errorCodes?: string
}

/** Returns what the compiler says of the files planted-1.ts, planted-2.ts … and of those that they import. */
async function compile({ texts, errorCodes }: Planted): Promise<string> {
  await mkdir(plantedFolder, { recursive: true })
  const folder = await mkdtemp(join(plantedFolder, "planted-"))
  try {
    const files = texts.map((_, index) => fileOf(index))
    await Promise.all(texts.map((text, index) => writeFile(join(folder, fileOf(index)), text)))
    const paths = errorCodes === undefined ? {} : { paths: { [errorCodesModule]: ["./error-codes.ts"] } }
    if (errorCodes !== undefined) await writeFile(join(folder, "error-codes.ts"), errorCodes)
    const config = { extends: "../../../tsconfig.json", compilerOptions: paths, include: [], files }
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config))
    return (await runTool("tsc", ["-p", folder, "--pretty", "false"], { output: "kept" })).output
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function fileOf(index: number): string {
  return `planted-${index + 1}.ts`
}

const plantedTexts: string[] = []
let compiledTogether: Promise<string> | undefined

/** Returns what the compiler says of this text. All planted ones are compiled together, as each start costs a second. */
function plant(text: string): () => Promise<string> {
  const file = fileOf(plantedTexts.push(text) - 1)
  return async () => {
    compiledTogether ??= compile({ texts: plantedTexts })
    // An error's further lines are indented.
    const errors = (await compiledTogether).split(/\n(?!\s)/)
    return errors.filter((error) => error.includes(file)).join("\n")
  }
}

describe("rule 4: a write outside its transaction does not compile", () => {
  const text = (given: string) => `
    import type { Db, Tx } from "#db/transaction"
    export const call = (db: Db, tx: Tx) => [db, write(tx), write(${given})]
    function write(tx: Tx): Tx { return tx }`

  const taken = plant(text("tx"))
  test("a transaction is taken", async () => {
    expect(await taken()).toBe("")
  })

  const refused = plant(text("db"))
  test("a database in its place is not", async () => {
    expect(await refused()).toMatch(/error TS2345/)
  })
})

describe("rule 4: what is one statement can run no other", () => {
  const text = `
    import { sql } from "kysely"
    import { executeOne, type OneStatement, oneStatement } from "#db/transaction"
    import type { Db, Tx } from "#db/transaction"
    export type Result = OneStatement<number>
    export const call = (db: Db, tx: Tx) => [executeOne(db, count()), executeOne(tx, count()), write(tx)]
    const write = (tx: Tx) => tx
    const count = () => oneStatement(sql\`delete from users\`, (rows) => rows.length)`

  const right = plant(text)
  test("it is SQL and a reading of its rows, and runs by itself or in a transaction", async () => {
    expect(await right()).toBe("")
  })

  const wrong = plant(`${text}
    export const a: Result = { execute: async (db: Db) => db }
    export const b = (db: Db) => oneStatement(sql\`select 1\`.execute(db), (rows) => 1)
    export const c = (db: Db) => oneStatement(sql\`select 1\`, () => write(db))
    export const d = () => oneStatement({ execute: async () => ({ rows: [1] }) }, () => 1)`)
  test("a function that could do anything, what was executed, and a reading that writes are none", async () => {
    expect((await wrong()).match(/error TS2\d+/g)).toEqual([
      "error TS2353",
      "error TS2345",
      "error TS2345",
      "error TS2345",
    ])
  })
})

describe("rule 4: a pool is given to what it serves", () => {
  const text = (given: string) => `
    import type { JobsDb, LookupDb, ReportsDb, RequestDb, SoleDb, Tx } from "#db/transaction"
    import { createChargeSteps } from "#selling/charges/open"
    import type { HttpDeps } from "#start/deps"
    type Pools = { db: RequestDb; reportsDb: ReportsDb; jobsDb: JobsDb; lookupDb: LookupDb; soleDb: SoleDb; tx: Tx }
    type Http = Pick<HttpDeps, "db" | "reportsDb">
    export const start = (pools: Pools): [unknown, Http] => [pools.tx, ${given}]
    export const make = createChargeSteps`

  const right = plant(text("make(pools.lookupDb) && make(pools.soleDb) && pools"))
  test("the right one, or the only one of the process", async () => {
    expect(await right()).toBe("")
  })

  const wrong = plant(text("make(pools.db) && make(pools.jobsDb) && make(pools.tx) && { ...pools, db: pools.jobsDb }"))
  test("another one, one that serves something else, and a transaction are not", async () => {
    expect((await wrong()).match(/error TS2\d+/g)).toEqual([
      "error TS2322",
      "error TS2345",
      "error TS2345",
      "error TS2345",
    ])
  })
})

describe("rule 7: an amount is not just any number", () => {
  const text = (amount: string) => `
    import { addCents, centsFromReais } from "@tilinta/contract/vocabulary/money"
    export const sum = addCents(centsFromReais(1), ${amount})`

  const centavos = plant(text("centsFromReais(2)"))
  test("centavos are taken", async () => {
    expect(await centavos()).toBe("")
  })

  const number = plant(text("2"))
  test("a plain number is not", async () => {
    expect(await number()).toMatch(/error TS2345/)
  })
})

describe("rule 8: an error code has a status and a message", () => {
  const thrown = (code: string) => `
    import { DomainError } from "#kit/errors"
    throw new DomainError("${code}")`

  const known = plant(thrown("not_found"))
  test("a code with both can be thrown", async () => {
    expect(await known()).toBe("")
  })

  const unknown = plant(thrown("planted_code"))
  test("a code without a Portuguese message can't", async () => {
    expect(await unknown()).toMatch(/error TS2345.*planted_code/)
  })

  test("every code of the contract has a status, and a new one does not compile until it has", async () => {
    const text = 'export { statusOf } from "#http/errors"'
    const errorCodes = await readFile(errorCodesFile, "utf8")
    const withNewCode = errorCodes.replace("} as const", '  planted_code: "Falha plantada.",\n} as const')
    expect(withNewCode).not.toBe(errorCodes)
    expect(await compile({ texts: [text], errorCodes })).toBe("")
    expect(await compile({ texts: [text], errorCodes: withNewCode })).toMatch(
      /errors\.ts.* error TS2741: .*planted_code/,
    )
  })
})

describe("a column is written or left out by name", () => {
  const insert = (columns: string) => `
    import type { NewRow } from "#db/rows-of"
    import { rowsOf, text, timestamptz, uuid } from "#db/rows-of"
    interface Slug { slug: string; pageId: string; createdAt: Date }
    export const slugs = rowsOf<Slug, NewRow<"charge_page_slugs">>("given", {
      slug: text(({ slug }) => slug),
      page_id: uuid(({ pageId }) => pageId),
      ${columns}
    })`

  const complete = plant(insert("created_at: timestamptz(({ createdAt }) => createdAt)"))
  test("a row with every column compiles", async () => {
    expect(await complete()).toBe("")
  })

  const incomplete: [string, string, RegExp][] = [
    ["missing", "", /error TS2741: .*created_at/],
    ["unknown", "created_at: timestamptz(({ createdAt }) => createdAt), planted: text(({ slug }) => slug)", /planted/],
    ["of another type", "created_at: text(({ slug }) => slug)", /error TS2322/],
  ]
  test.each(incomplete.map(([what, columns, error]) => ({ what, compiled: plant(insert(columns)), error })))(
    "a column that is $what does not",
    async ({ compiled, error }) => {
      expect(await compiled()).toMatch(error)
    },
  )

  test("a nullable column that is added to a table is an error in each file that writes whole rows of it", async () => {
    const types = writers.map(([type]) => `interface ${type} { planted: string | null }`)
    const imports = writers.map(([, file]) => `import "${file}"`)
    const planted = `declare module "#db/schema" { ${types.join("\n")} }`
    const output = await compile({ texts: [[...imports, planted].join("\n")] })
    const files = output.split("\n").flatMap((line) => /^(\S+)\(\d.*planted/.exec(line)?.[1] ?? [])
    const expected = writers.map(([, file]) => `${file.replace("#", "server/src/")}.ts`)
    expect([...new Set(files)].toSorted()).toEqual([...new Set(expected)].toSorted())
  })
})

const writers = [
  ["ChargePagesTable", "#selling/charge-pages/table"],
  ["ChargesTable", "#selling/charges/table"],
  ["ChargesTable", "#selling/charges/new-charges-table"],
  ["PageOpeningTotalsTable", "#platform/system/table"],
  ["JournalTable", "#ledger/post-transactions"],
  ["RefundsTable", "#money/refunds/table"],
  ["DisputesTable", "#money/disputes/table"],
  ["WithdrawalsTable", "#money/withdrawals/table"],
  ["PspConnectionsTable", "#bank/psp-inbox/table"],
  ["DailyClosesTable", "#bank/daily-closes/table"],
  ["DailyCloseEntriesTable", "#bank/daily-closes/compare-table"],
  ["UsersTable", "#people/users/table"],
  ["PasswordResetsTable", "#people/users/credentials-table"],
  ["SessionsTable", "#people/sessions/table"],
  ["SettingsTable", "#platform/settings/table"],
  ["AuditRecordsTable", "#platform/audit/table"],
  ["IdempotencyKeysTable", "#platform/idempotency/table"],
  ["MailsTable", "#platform/mails/table"],
  ["OutboxMailsTable", "#mail/outbox"],
  ["ServerNodesTable", "#platform/system/table"],
  ["BackupsTable", "#platform/backups/table"],
  ["RestoreChecksTable", "#platform/backups/table"],
  ["LedgerChecksTable", "#overviews/ledger-checks/table"],
] as const
