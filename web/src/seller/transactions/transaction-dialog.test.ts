import type { TransactionDetail } from "@tilinta/contract/transactions"
import { expect, test } from "vitest"
import { timelineOf } from "./transaction-dialog.tsx"

function transaction(wishes: Partial<TransactionDetail>): TransactionDetail {
  return {
    createdAt: "2026-11-21T12:00:00Z",
    updatedAt: "2026-11-21T12:30:00Z",
    expiresAt: "2026-11-22T12:00:00Z",
    paidAt: null,
    status: "pendente",
    metadata: { txid: "x", endToEndId: null, late: false, duplicate: false, order: {} },
    ...wishes,
  } as TransactionDetail
}

const labelsOf = (wishes: Partial<TransactionDetail>) => timelineOf(transaction(wishes)).map(({ label }) => label)

test("a charge's timeline lists its events, first to last", () => {
  expect(labelsOf({})).toEqual(["Pix gerado"])
  expect(labelsOf({ status: "pago", paidAt: "2026-11-21T12:10:00Z" })).toEqual(["Pix gerado", "Pagamento confirmado"])
  expect(labelsOf({ status: "estornado", paidAt: "2026-11-21T12:10:00Z" })).toEqual([
    "Pix gerado",
    "Pagamento confirmado",
    "Valor estornado",
  ])
  expect(labelsOf({ status: "cancelado" })).toEqual(["Pix gerado", "Cancelado"])
})

test("a late payment is marked in the timeline", () => {
  const metadata = { txid: "x", endToEndId: "E1", late: true, duplicate: false, order: {} }
  expect(labelsOf({ status: "pago", paidAt: "2026-11-23T12:00:00Z", metadata })).toContain("Pago depois do prazo")
})

test("an expired charge ended when its code did, whenever that was noticed", () => {
  expect(timelineOf(transaction({ status: "expirado" })).at(-1)?.at).toBe("2026-11-22T12:00:00Z")
})
