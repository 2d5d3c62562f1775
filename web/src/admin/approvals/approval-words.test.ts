import { expect, test } from "vitest"
import { changeLines } from "./approval-words.ts"

const reais = (amount: number) => `R$ ${amount}`
const person = { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Bruno Dias" }
const moment = "2026-11-21T12:00:00.000Z"
const asked = { _id: person._id, subject: person, askedBy: person, askedAt: moment, expiresAt: moment }

test("a withdrawal says how much goes where, in Portuguese", () => {
  const changes = [
    { field: "amount", before: null, after: 6_500 },
    { field: "destination", before: null, after: "ana@exemplo.com" },
  ]
  expect(changeLines({ ...asked, act: "withdrawal.approve", changes }, reais)).toEqual([
    { label: "Valor", before: null, after: "R$ 6500" },
    { label: "Destino", before: null, after: "ana@exemplo.com" },
  ])
})

test("the end of a freeze says since when it was, and that it ends", () => {
  const changes = [{ field: "frozenSince", before: moment, after: null }]
  expect(changeLines({ ...asked, act: "user.unfreeze", changes }, reais)).toEqual([
    { label: "Saques congelados desde", before: "21/11/2026 09:00", after: "livre" },
  ])
})
