import { afterAll, beforeEach, expect, test } from "vitest"
import { openAutomaticSandbox } from "../../../test-support/automatic-sandbox.ts"
import { getDebit } from "./reads.ts"
import { planDebits } from "./run.ts"

const world = await openAutomaticSandbox()
const { sandbox, deps, at, withDebit, codeOf } = world

beforeEach(() => world.begin())
afterAll(() => world.end())

test.each([
  ["is another now", { name: "efi" }],
  ["isn't asked for debits any more", { automatic: null }],
] as const)("a debit whose bank %s is left to the link once its day is over", async (_why, change) => {
  const { invoice, debit } = await withDebit()
  const changed = { ...deps, psp: { ...deps.psp, ...change } }
  at("2026-12-31", "23:00")
  await planDebits(changed)
  expect((await getDebit(sandbox.db, debit.id)).endedAt).toBeNull()
  await expect(codeOf(invoice)).rejects.toMatchObject({ code: "debit_under_way" })
  at("2027-01-01", "06:00")
  await planDebits(changed)
  await planDebits(changed)
  expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "failed", endedAt: expect.any(Date) })
  expect(await codeOf(invoice)).toBeTruthy()
})
