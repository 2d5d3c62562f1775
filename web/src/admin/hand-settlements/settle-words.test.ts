import { expect, test } from "vitest"
import { draftProblems, settleActions, settlementEffect } from "./settle-words.ts"

const said = {
  outcome: "not_paid",
  endToEndId: null,
  reason: "O banco encerrou a conta",
  saidBy: { _id: "carla", name: "Carla" },
  saidAt: "2026-11-23T12:00:00.000Z",
  confirmedBy: null,
  settledAt: null,
  waitsFor: "second_admin",
} as const
const open = { settleable: true, handSettlement: null }
const waits = { settleable: true, handSettlement: said }

test("only what the bank left open is settled by hand, and by nobody for themselves", () => {
  expect(settleActions(open, { adminId: "carla", sellerId: "ana" })).toEqual(["settle"])
  expect(settleActions({ ...open, settleable: false }, { adminId: "carla", sellerId: "ana" })).toEqual([])
  expect(settleActions(open, { adminId: "ana", sellerId: "ana" })).toEqual([])
})

test("the first administrator may change their word, another confirms it or says otherwise", () => {
  expect(settleActions(waits, { adminId: "carla", sellerId: "ana" })).toEqual(["change"])
  expect(settleActions(waits, { adminId: "beto", sellerId: "ana" })).toEqual(["differ", "confirm"])
  const again = { settleable: true, handSettlement: { ...said, waitsFor: "sending" } } as const
  expect(settleActions(again, { adminId: "carla", sellerId: "ana" })).toEqual(["differ", "confirm"])
})

test("a word needs an outcome, a reason, and the transfer's id if it was paid", () => {
  const blank = { outcome: "", endToEndId: "", reason: " " } as const
  expect(Object.keys(draftProblems(blank))).toEqual(["outcome", "reason"])
  expect(Object.keys(draftProblems({ ...blank, outcome: "paid", endToEndId: "E1" }))).toEqual(["endToEndId", "reason"])
  const paid = { outcome: "paid", endToEndId: " E9999999920261121120012345678901 ", reason: "extrato" } as const
  expect(draftProblems(paid)).toEqual({})
  expect(draftProblems({ ...blank, outcome: "not_paid", reason: "extrato" })).toEqual({})
})

test("the refund of money that nobody was credited for touches no balance, and names no seller", () => {
  const effect = (outcome: "paid" | "not_paid", seller: string | null) =>
    settlementEffect(outcome, { subject: "refund", amount: 40, seller })
  for (const outcome of ["paid", "not_paid"] as const) {
    expect(effect(outcome, "Ana Souza")).toMatch(/saldo de Ana Souza/)
    expect(effect(outcome, null)).not.toMatch(/saldo|null/)
  }
})
