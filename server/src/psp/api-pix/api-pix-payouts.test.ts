import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"

type Answer = [status: number, body?: unknown] | "cut"

/** Answers payouts and queries as configured; otherwise it knows nothing. */
async function payingBank(replies: { put?: Answer; get?: Answer }) {
  const sent: unknown[] = []
  const bank = await bankThat(({ method }, response, body) => {
    if (body !== "") sent.push(JSON.parse(body))
    const answer = (method === "PUT" ? replies.put : replies.get) ?? [404, {}]
    if (answer === "cut") response.destroy()
    else reply(response, answer[0], answer[1] ?? {})
  })
  return { ...bank, sent }
}

const pixKey = { kind: "email", key: "ana@loja.example" } as const
const request = { payoutId: "saque1", pixKey, amountCents: 1_234 as Cents, description: "Saque" }
const payout = { idEnvio: "saque1", e2eId: "E1", valor: "12.34", status: "EM_PROCESSAMENTO" }

test("a payout is sent by PUT under our id, from our key, with the value as text", async () => {
  const { psp, calls, sent } = await payingBank({ put: [201, payout] })
  const underWay = { state: "under-way", amountCents: 1_234, endToEndId: "E1", reason: null, settledAt: null }
  expect(await psp.payouts?.send(request)).toEqual(underWay)
  expect(calls).toEqual(["PUT /gn/pix/saque1"])
  expect(sent).toEqual([
    {
      valor: "12.34",
      pagador: { chave: "our-key", infoPagador: "Saque" },
      favorecido: { chave: "ana@loja.example" },
    },
  ])
})

test.for([
  ["REALIZADO", "completed"],
  ["NAO_REALIZADO", "refused"],
  ["EM_PROCESSAMENTO", "under-way"],
  ["ALGO_NOVO", "under-way"],
] as const)("%s means %s", async ([status, state]) => {
  const { psp, calls } = await payingBank({ get: [200, { ...payout, endToEndId: "E2", status }] })
  expect(await psp.payouts?.find("saque1")).toMatchObject({ state, endToEndId: "E2" })
  expect(calls).toEqual(["GET /gn/pix/enviados/id-envio/saque1"])
})

const back = (valor: string, status?: string) => ({
  valor,
  status,
  horario: { solicitacao: "2026-11-20T12:00:00Z", liquidacao: "2026-11-20T12:00:02Z" },
})
const at = new Date("2026-11-20T12:00:02Z")

test.for([
  ["DEVOLVIDO", undefined, { amountCents: null, at: null }],
  ["DEVOLVIDO", [back("12.34", "DEVOLVIDO")], { amountCents: 1_234, at }],
  ["REALIZADO", [back("2.00", "DEVOLVIDO"), back("1.00")], { amountCents: 300, at }],
  ["REALIZADO", [back("2.00", "EM_PROCESSAMENTO"), back("1.00", "NAO_REALIZADO")], undefined],
  ["REALIZADO", [], undefined],
] as const)("%s with the returns %j was paid, and this came back: %j", async ([status, devolucoes, returned]) => {
  const { psp } = await payingBank({ get: [200, { ...payout, status, devolucoes }] })
  const found = await psp.payouts?.find("saque1")
  expect([found?.state, found?.returned]).toEqual(["completed", returned])
})

test("a payout that the bank never took is none", async () => {
  const { psp } = await payingBank({ get: [404] })
  expect(await psp.payouts?.find("saque1")).toBeNull()
})

test.for([400, 409, 422])("a repeated PUT that is refused with %d: the first one counts", async (status) => {
  const { psp } = await payingBank({ put: [status], get: [200, { ...payout, status: "REALIZADO" }] })
  expect(await psp.payouts?.send(request)).toMatchObject({ state: "completed" })
})

test.for([
  [400, { detail: "Chave inválida." }, "Chave inválida."],
  [422, { nome: "x", mensagem: "Chave não encontrada." }, "Chave não encontrada."],
  [400, undefined, null],
] as const)(
  "a definite no (%d) of a bank that has no such payout is one, with its reason",
  async ([status, body, reason]) => {
    const { psp } = await payingBank({ put: [status, body], get: [404] })
    expect(await psp.payouts?.send(request)).toEqual({
      state: "refused",
      amountCents: null,
      endToEndId: null,
      reason,
      settledAt: null,
    })
  },
)

const unknowns: { put?: Answer; get?: Answer }[] = [
  { put: "cut" },
  { put: [500] },
  { put: [401] },
  { put: [403] },
  { put: [404] },
  { put: [409], get: [404] },
  { put: [400], get: [500] },
  { put: [400], get: "cut" },
  { put: [201, { ...payout, idEnvio: "saque2" }] },
  { put: [201, "nada"] },
]

test.for(unknowns)("%j leaves the outcome unknown: no money may go back", async (replies) => {
  const { psp } = await payingBank(replies)
  await expect(psp.payouts?.send(request)).rejects.toMatchObject({ name: "PspError" })
})

test("the list has every page, whoever sent what, and skips what can't be read", async () => {
  const first = {
    ...payout,
    status: "REALIZADO",
    horario: { solicitacao: "2026-11-20T12:00:00Z", liquidacao: "2026-11-20T12:00:02Z" },
  }
  const byHand = { endToEndId: "E9", valor: "1.00", status: "REALIZADO", horario: { solicitacao: "nunca" } }
  const pages = [[first, 7], [byHand]]
  const bank = await bankThat((request, response) => {
    const page = Number(new URL(request.url ?? "", "http://bank").searchParams.get("paginacao.paginaAtual"))
    reply(response, 200, { parametros: { paginacao: { quantidadeDePaginas: 2 } }, pix: pages[page] })
  })
  const listed = []
  for await (const page of bank.psp.payouts?.list({ from: new Date(0), to: new Date(86_400_500) }) ?? []) {
    listed.push(...page)
  }
  expect(bank.calls[0]).toBe(
    "GET /gn/pix/enviados?inicio=1970-01-01T00%3A00%3A00Z&fim=1970-01-02T00%3A00%3A00Z&paginacao.paginaAtual=0&paginacao.itensPorPagina=100",
  )
  expect(listed).toEqual([
    {
      payoutId: "saque1",
      state: "completed",
      amountCents: 1_234,
      endToEndId: "E1",
      reason: null,
      requestedAt: new Date("2026-11-20T12:00:00Z"),
      settledAt: new Date("2026-11-20T12:00:02Z"),
    },
    expect.objectContaining({ payoutId: null, endToEndId: "E9", amountCents: 100, requestedAt: null, settledAt: null }),
  ])
})
