import { moneyKinds as kinds, type MoneyKind } from "@tilinta/contract/vocabulary/system"
import { sql } from "kysely"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { StartError } from "#kit/errors"
import { asOwner } from "../../../test-support/as-owner.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { ensureMoneyKind } from "./node.ts"

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})

afterEach(async () => {
  await database.drop()
})

const start = (kind: MoneyKind) => ensureMoneyKind({ db: database.db, clock: systemClock }, kind)
const held = async () => (await database.db.selectFrom("money_kind").select("kind").execute()).map(({ kind }) => kind)

test.each(kinds)("a database of %s money starts with it again and again", async (kind) => {
  await start(kind)
  await start(kind)
  expect(await held()).toEqual([kind])
})

test.each([
  ["sandbox", "homologation", "PIX_PROVIDER", "PIX_PROVIDER=simulator"],
  ["sandbox", "real", "PIX_PROVIDER", "PIX_PROVIDER=simulator"],
  ["homologation", "sandbox", "PIX_PROVIDER", "PIX_ENVIRONMENT=homologacao"],
  ["homologation", "real", "PIX_ENVIRONMENT", "PIX_ENVIRONMENT=homologacao"],
  ["real", "sandbox", "PIX_PROVIDER", "PIX_ENVIRONMENT=producao"],
  ["real", "homologation", "PIX_ENVIRONMENT", "PIX_ENVIRONMENT=producao"],
] as const)("a database of %s money never starts with %s money", async (first, second, variable, wayBack) => {
  await start(first)
  const refusal = await start(second).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StartError)
  const { message } = refusal as StartError
  expect(message).toMatch(new RegExp(`^Variável de ambiente ${variable} inválida .*DATABASE_URL.*${wayBack}\\.$`))
  expect(await held()).toEqual([first])
  await start(first)
})

test("of nodes that start at once with different kinds on an empty database, those of one kind win", async () => {
  const wanted = [...kinds, ...kinds, ...kinds]
  const outcomes = await Promise.allSettled(wanted.map(start))
  const [kind] = await held()
  expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual(wanted.map((each) => each === kind))
})

describe("the database", () => {
  test("holds one kind at most", async () => {
    await start("sandbox")
    await expect(database.db.insertInto("money_kind").values({ kind: "real" }).execute()).rejects.toThrow(
      /money_kind_is_one/,
    )
  })

  test.each(["update money_kind set kind = 'real'", "delete from money_kind", "truncate money_kind"])(
    "refuses '%s', to its owner too",
    async (statement) => {
      await start("sandbox")
      await expect(sql.raw(statement).execute(database.db)).rejects.toThrow(/permission denied/)
      await expect(asOwner(database, statement)).rejects.toThrow(/is refused/)
      expect(await held()).toEqual(["sandbox"])
    },
  )
})
