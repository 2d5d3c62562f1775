import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { asOwner } from "../../../test-support/as-owner.ts"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import {
  ensurePspConnection,
  readPayoutsSeenUntil,
  readReceiptsSeenUntil,
  savePayoutsSeenUntil,
  saveReceiptsSeenUntil,
} from "./connection.ts"

let connections = 0
let provider: string

const database = await createTestDatabase()

beforeEach(async () => {
  connections += 1
  provider = `bank-${connections}`
  await ensurePspConnection({ db: database.db, clock: systemClock }, provider)
})

afterAll(() => database.drop())

const noon = new Date("2031-05-05T12:00:00Z")
const minutesAfterNoon = (minutes: number) => new Date(noon.getTime() + minutes * 60_000)

describe.each([
  ["receipts", saveReceiptsSeenUntil, readReceiptsSeenUntil],
  ["payouts", savePayoutsSeenUntil, readPayoutsSeenUntil],
] as const)("the seen-until time of the %s", (_name, save, read) => {
  const saveMoment = (until: Date) =>
    database.db.transaction().execute((tx) => save(tx, provider, { until, believableUntil: minutesAfterNoon(60) }))

  test("only moves forward: a node with a slow clock, or one that finishes late, takes nothing back", async () => {
    await saveMoment(noon)
    await saveMoment(minutesAfterNoon(-10))
    expect(await read(database.db, provider)).toEqual(noon)
    await saveMoment(minutesAfterNoon(1))
    expect(await read(database.db, provider)).toEqual(minutesAfterNoon(1))
  })

  test("moves back from a moment that nobody can have seen yet", async () => {
    await asOwner(
      database,
      "update psp_connections set receipts_seen_until = '2033-01-01', payouts_seen_until = '2033-01-01'",
    )
    await saveMoment(noon)
    expect(await read(database.db, provider)).toEqual(noon)
  })

  test("ends at the latest moment when many nodes save at once", async () => {
    const minutes = [7, 2, 9, 4, 1, 8, 3, 6, 5, 0]
    await Promise.all(minutes.map((minute) => saveMoment(minutesAfterNoon(minute))))
    expect(await read(database.db, provider)).toEqual(minutesAfterNoon(9))
  })
})
