import { expect, test } from "vitest"
import { movementsOf } from "./statement-data.ts"

const line = (kind: "sale" | "fee" | "refund", reference: string, amount: number, balance: number) => ({
  ...{ at: "2026-11-21T15:04:05.000Z", kind, description: kind, reference, amount, balance },
  ...{ transactionId: null, pageTitle: null },
})

const shown = (...rows: ReturnType<typeof line>[]) =>
  movementsOf(rows).map(({ kind, amount, balance, fee }) => ({ kind, amount, balance, fee }))

test("a sale and its fee are one movement: the net amount, and the balance after both", () => {
  const rows = [line("fee", "E2", -0.03, 15.41), line("sale", "E2", 0.2, 15.44), line("fee", "E1", -2.69, 15.24)]
  expect(shown(...rows, line("sale", "E1", 17.93, 17.93))).toEqual([
    { kind: "sale", amount: 0.17, balance: 15.41, fee: -0.03 },
    { kind: "sale", amount: 15.24, balance: 15.24, fee: -2.69 },
  ])
})

test("a sale without a fee, another's fee and all other movements stand as they are", () => {
  const rows = [
    line("fee", "E9", -1, 9),
    line("sale", "E2", 10, 10),
    line("refund", "r", -5, 0),
    line("sale", "E1", 5, 5),
  ]
  expect(shown(...rows)).toEqual(rows.map(({ kind, amount, balance }) => ({ kind, amount, balance, fee: null })))
})
