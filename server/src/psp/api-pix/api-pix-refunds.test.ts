import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"

type Answer = [status: number, body?: unknown] | "cut"

/** Answers refunds and queries as configured; otherwise it knows nothing. */
async function refundingBank(replies: { put?: Answer; get?: Answer }) {
  const sent: unknown[] = []
  const bank = await bankThat(({ method }, response, body) => {
    if (body !== "") sent.push(JSON.parse(body))
    const answer = (method === "PUT" ? replies.put : replies.get) ?? [404, {}]
    if (answer === "cut") response.destroy()
    else reply(response, answer[0], answer[1] ?? {})
  })
  return { ...bank, sent }
}

const name = { endToEndId: "E1", pspRefundId: "r1" }
const request = { ...name, amountCents: 1_234 as Cents, description: "Produto devolvido" }
const refund = { id: "r1", rtrId: "D1", valor: "12.34", status: "EM_PROCESSAMENTO" }
const path = "/pix/E1/devolucao/r1"

test("a refund is asked for by PUT under our id, with the value as text", async () => {
  const { psp, calls, sent } = await refundingBank({ put: [201, refund] })
  expect(await psp.requestRefund(request)).toEqual({
    pspRefundId: "r1",
    state: "under-way",
    amountCents: 1_234,
    returnId: "D1",
    reason: null,
    settledAt: null,
  })
  expect(calls).toEqual([`PUT ${path}`])
  expect(sent).toEqual([{ valor: "12.34", descricao: "Produto devolvido" }])
})

test("without a reason none is sent, and a long one is cut", async () => {
  const { psp, sent } = await refundingBank({ put: [200, refund] })
  await psp.requestRefund({ ...request, description: "" })
  await psp.requestRefund({ ...request, description: "ã".repeat(200) })
  expect(sent).toEqual([{ valor: "12.34" }, { valor: "12.34", descricao: "ã".repeat(140) }])
})

test.for([
  ["DEVOLVIDO", "completed"],
  ["NAO_REALIZADO", "refused"],
  ["EM_PROCESSAMENTO", "under-way"],
  ["ALGO_NOVO", "under-way"],
] as const)("%s means %s", async ([status, state]) => {
  const { psp, calls } = await refundingBank({ get: [200, { ...refund, status, motivo: "porque sim" }] })
  expect(await psp.findRefund(name)).toMatchObject({ state, reason: "porque sim" })
  expect(calls).toEqual([`GET ${path}`])
})

test("a refund that the bank never took is none", async () => {
  const { psp } = await refundingBank({ get: [404] })
  expect(await psp.findRefund(name)).toBeNull()
})

test.for([400, 409, 422])("a repeated PUT that is refused with %d: the first one counts", async (status) => {
  const { psp } = await refundingBank({ put: [status], get: [200, { ...refund, status: "DEVOLVIDO" }] })
  expect(await psp.requestRefund(request)).toMatchObject({ state: "completed" })
})

test("a definite no of a bank that has no such refund is one, with its reason", async () => {
  const { psp } = await refundingBank({ put: [400, { detail: "Excede o valor." }], get: [404] })
  expect(await psp.requestRefund(request)).toMatchObject({ state: "refused", reason: "Excede o valor." })
})

const unknowns: { put?: Answer; get?: Answer }[] = [
  { put: "cut" },
  { put: [500] },
  { put: [401] },
  { put: [403] },
  { put: [404] },
  { put: [409], get: [404] },
  { put: [400], get: [500] },
  { put: [400], get: "cut" },
  { put: [201, { ...refund, id: "r2" }] },
  { put: [201, "nada"] },
]

test.for(unknowns)("%j leaves the outcome unknown: no money may return to the seller", async (replies) => {
  const { psp } = await refundingBank(replies)
  await expect(psp.requestRefund(request)).rejects.toMatchObject({ name: "PspError" })
})

test("a receipt includes its refunds; an unreadable one hides no other", async () => {
  const settled = { ...refund, status: "DEVOLVIDO", horario: { liquidacao: "2026-11-21T12:00:00Z" } }
  const body = { endToEndId: "E1", valor: "12.34", horario: "2026-11-21T11:00:00Z", devolucoes: [null, settled] }
  const { psp } = await refundingBank({ get: [200, body] })
  expect((await psp.findReceipt("E1"))?.refunds).toMatchObject([
    { pspRefundId: "r1", state: "completed", amountCents: 1_234, settledAt: new Date("2026-11-21T12:00:00Z") },
  ])
})

test("only what was refunded is listed when that is asked for", async () => {
  const page = { parametros: { paginacao: { quantidadeDePaginas: 1 } }, pix: [] }
  const { psp, calls } = await refundingBank({ get: [200, page] })
  const pages = await Array.fromAsync(psp.listRefundedReceipts?.({ from: new Date(0), to: new Date(1) }) ?? [])
  expect(pages).toEqual([[]])
  expect(calls[0]).toContain("devolucaoPresente=true")
})

test.for([
  [undefined, undefined],
  [null, undefined],
  [" ", undefined],
  ["ORIGINAL", false],
  ["RETIRADA", false],
  ["MED_FRAUDE", true],
  ["MED_PIX_AUTOMATICO", true],
  ["med_operacional", true],
] as const)("the nature %j says whether it is a dispute: %j", async ([natureza, isDispute]) => {
  const { psp } = await refundingBank({ get: [200, { ...refund, natureza }] })
  expect((await psp.findRefund(name))?.isDispute).toBe(isDispute)
})
