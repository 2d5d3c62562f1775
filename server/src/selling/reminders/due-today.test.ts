import { afterAll, beforeEach, expect, test } from "vitest"
import { openReminderSandbox } from "../../../test-support/reminder-sandbox.ts"
import { listDueToday } from "./reads.ts"
import { remindByHand } from "./send.ts"

const world = await openReminderSandbox()
const { sandbox, db, at, enter, charge, own, now, sellerId } = world

beforeEach(world.begin)
afterAll(world.close)

test("whoever was not reminded today comes first, and those beyond the list are counted", async () => {
  const invoices = [await charge(await enter()), await charge(await enter()), await charge(await enter())]
  at("2026-12-10T09:00:00")
  const listed = async () => {
    const found = await listDueToday(db, { sellerId: sellerId(), steps: ["due"], due: now(), limit: 2 })
    return [found.results, found.invoices.map(({ id }) => id)]
  }
  const [first, second, third] = invoices.map(({ id }) => id)
  expect(await listed()).toEqual([3, [first, second]])
  for (const invoice of invoices.slice(0, 2)) await remindByHand(sandbox, { ...own(invoice), channel: "whatsapp" })
  expect(await listed()).toEqual([3, [third, first]])
  expect(await listDueToday(db, { sellerId: sellerId(), steps: [], due: now(), limit: 2 })).toMatchObject({
    results: 0,
  })
})
