import type { ServerResponse } from "node:http"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { createLog } from "#kit/log"
import type { Psp } from "#psp/psp"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"
import { simulatorProfile } from "./profiles.ts"

const request = { txid: "a".repeat(32), amountCents: 10_000 as Cents, expiresInSeconds: 3600, description: "Curso" }
const charge = { txid: request.txid, status: "ATIVA", valor: { original: "100.00" }, pixCopiaECola: "000201" }
const receipt = { endToEndId: "E1", txid: request.txid, valor: "100.00", horario: "2026-11-21T12:00:00Z" }

test("a charge is asked for by PUT under our txid, with the value as text", async () => {
  let sent: unknown
  const { psp, calls } = await bankThat((_request, response, body) => {
    sent = JSON.parse(body)
    reply(response, 201, charge)
  })
  expect(await psp.createCharge(request)).toEqual({ pixCode: "000201" })
  expect(calls).toEqual([`PUT /cob/${request.txid}`])
  expect(sent).toEqual({
    calendario: { expiracao: 3600 },
    valor: { original: "100.00" },
    chave: "our-key",
    solicitacaoPagador: "Curso",
  })
})

test("a bank that refuses a repeated PUT is asked what the first one did", async () => {
  const { psp } = await bankThat(({ method }, response) => {
    if (method === "PUT") reply(response, 409, { title: "txid em uso" })
    else reply(response, 200, charge)
  })
  expect(await psp.createCharge(request)).toEqual({ pixCode: "000201" })
})

test.for([
  [{ ...charge, valor: { original: "1.00" } }, "another amount"],
  [{ ...charge, status: "CONCLUIDA" }, "CONCLUIDA"],
  [{ ...charge, txid: "b".repeat(32) }, "another txid"],
  [{ ...charge, pixCopiaECola: undefined }, "no Pix code"],
] as const)("a charge that isn't what was asked for is refused: %j", async ([body, message]) => {
  const { psp } = await bankThat((_request, response) => reply(response, 201, body))
  await expect(psp.createCharge(request)).rejects.toThrow(message)
})

test("H14: a hundred calls share one token", async () => {
  const { psp, tokensGiven } = await bankThat((_request, response) => reply(response, 200, receipt))
  await Promise.all(Array.from({ length: 100 }, () => psp.findReceipt("E1")))
  expect(tokensGiven()).toBe(1)
})

test("H14: after a 401 a hundred calls share one new token, and each succeeds", async () => {
  const { psp, tokensGiven } = await bankThat((_request, response) => reply(response, 200, receipt), {
    refusedTokens: 1,
  })
  const receipts = await Promise.all(Array.from({ length: 100 }, () => psp.findReceipt("E1")))
  expect(receipts).toHaveLength(100)
  expect(tokensGiven()).toBe(2)
})

type Misbehaviour = (response: ServerResponse) => void

const misbehaviours: [string, Misbehaviour][] = [
  ["never answers", () => undefined],
  ["drips", (response) => void response.write("{")],
  ["cuts the line", (response) => void response.destroy()],
  ["answers two megabytes", (response) => void response.end("x".repeat(2_097_152))],
  ["sends us elsewhere", (response) => void response.writeHead(302, { location: "/x" }).end()],
  ["fails", (response) => void response.writeHead(500).end("<html>")],
]

test.for(misbehaviours)(
  "H13: a bank that %s leaves the outcome unknown, within the time-out",
  async ([, misbehave]) => {
    const { psp } = await bankThat((_request, response) => misbehave(response), { timeoutMs: 2_000 })
    await expect(psp.createCharge(request)).rejects.toMatchObject({ name: "PspError", failure: "unknown" })
  },
)

test("a bank that isn't there can't have taken the request", async () => {
  const { psp, close } = await bankThat(() => undefined)
  close()
  await expect(psp.createCharge(request)).rejects.toMatchObject({ failure: "unavailable" })
})

test("removing returns whether the payer was faster", async () => {
  let status = "ATIVA"
  const { psp } = await bankThat(({ method }, response) => {
    if (method === "PATCH") reply(response, status === "CONCLUIDA" ? 400 : 200, {})
    else reply(response, status === "absent" ? 404 : 200, { ...charge, status })
  })
  await expect(psp.removeCharge(request.txid)).rejects.toMatchObject({ failure: "rejected" })
  status = "REMOVIDA_PELO_USUARIO_RECEBEDOR"
  expect(await psp.removeCharge(request.txid)).toBe("removed")
  status = "CONCLUIDA"
  expect(await psp.removeCharge(request.txid)).toBe("paid")
  status = "absent"
  expect(await psp.removeCharge(request.txid)).toBe("absent")
})

test("a 404 to the change of a code is no proof: the charge itself is asked about", async () => {
  let status = "ATIVA"
  const calendario = { criacao: "2026-01-01T00:00:00Z", expiracao: 3600 }
  const { psp, calls } = await bankThat(({ method }, response) => {
    if (method === "PATCH" || status === "absent") return reply(response, 404, {})
    reply(response, 200, { ...charge, ...(status === "EXPIRADA" && { calendario }), status })
  })
  await expect(psp.removeCharge(request.txid)).rejects.toMatchObject({ failure: "rejected" })
  expect(calls).toEqual([`PATCH /cob/${request.txid}`, `GET /cob/${request.txid}`])
  for (const [word, outcome] of [
    ["CONCLUIDA", "paid"],
    ["EXPIRADA", "removed"],
    ["absent", "absent"],
  ] as const) {
    status = word
    expect(await psp.removeCharge(request.txid)).toBe(outcome)
  }
})

const listed = (from: number, to: number) =>
  Array.from({ length: Math.max(to - from, 0) }, (_, index) => ({ ...receipt, endToEndId: `E${from + index}` }))

/** A bank with so many receipts that judges a page by its size and first row. */
async function bankWithList(rows: number, judge: (size: number, first: number) => "ok" | "refused" | "large") {
  return bankThat(({ url }, response) => {
    const query = new URL(url ?? "", "http://x").searchParams
    const size = Number(query.get("paginacao.itensPorPagina"))
    const first = Number(query.get("paginacao.paginaAtual")) * size
    const verdict = judge(size, first)
    if (verdict === "refused") return reply(response, 400, { detail: "itensPorPagina" })
    const pix = listed(first, Math.min(first + size, rows))
    const padding = verdict === "large" ? "x".repeat(1_100_000) : ""
    reply(response, 200, { parametros: { paginacao: { quantidadeDePaginas: Math.ceil(rows / size) } }, pix, padding })
  })
}

const sizesOf = (calls: string[]) => calls.map((call) => Number(/itensPorPagina=(\d+)/.exec(call)?.[1]))

async function readAll(psp: Psp): Promise<string[]> {
  const found: string[] = []
  for await (const page of psp.listReceipts({ from: new Date(0), to: new Date(86_400_000) })) {
    found.push(...page.map(({ endToEndId }) => endToEndId))
  }
  return found
}

test("a bank that takes at most 100 a page is asked for as many, and no more often than once for more", async () => {
  const { psp, calls } = await bankWithList(230, (size) => (size > 100 ? "refused" : "ok"))
  expect(await readAll(psp)).toEqual(listed(0, 230).map(({ endToEndId }) => endToEndId))
  expect(await readAll(psp)).toHaveLength(230)
  expect(sizesOf(calls)).toEqual([500, 100, 100, 100, 100, 100, 100])
})

test("rows too long for one answer shrink the page in mid-list, down to one, and no row is lost", async () => {
  const { psp, calls } = await bankWithList(560, (size, first) => (first + size > 503 && size > 1 ? "large" : "ok"))
  expect(await readAll(psp)).toEqual(listed(0, 560).map(({ endToEndId }) => endToEndId))
  expect(sizesOf(calls).slice(0, 7)).toEqual([500, 500, 100, 50, 10, 5, 1])
})

test("a bank that refuses a page of one row as well has refused the list", async () => {
  const { psp, calls } = await bankWithList(3, () => "refused")
  await expect(readAll(psp)).rejects.toMatchObject({ failure: "rejected" })
  expect(sizesOf(calls)).toEqual([500, 100, 50, 10, 5, 1])
})

test("H04: receipts are listed page by page; those of another key or unreadable are left out", async () => {
  const { psp, calls } = await bankThat(({ url }, response) => {
    const page = Number(new URL(url ?? "", "http://x").searchParams.get("paginacao.paginaAtual"))
    const pix = [
      { ...receipt, endToEndId: `E${page}` },
      { ...receipt, endToEndId: `Eother${page}`, chave: "their-key" },
      { ...receipt, endToEndId: `Ebad${page}`, valor: "1e2" },
      null,
    ]
    reply(response, 200, { parametros: { paginacao: { quantidadeDePaginas: "2" } }, pix })
  })
  const found: string[] = []
  for await (const receipts of psp.listReceipts({ from: new Date(0), to: new Date(86_400_000) })) {
    found.push(...receipts.map(({ endToEndId }) => endToEndId))
  }
  expect(found).toEqual(["E0", "E1"])
  expect(calls[0]).toContain("inicio=1970-01-01T00%3A00%3A00Z&fim=1970-01-02T00%3A00%3A00Z")
})

test("a receipt that the bank doesn't know is none", async () => {
  const { psp } = await bankThat((_request, response) => reply(response, 404, {}))
  expect(await psp.findReceipt("E404")).toBeNull()
})

const reported = (endToEndId: string, reportsRefunds = false) => ({
  ...{ kind: "receipt", endToEndId, reportsRefunds },
  reportedAt: null,
})

test("a webhook reports a receipt's time of payment, if it is readable", async () => {
  const { psp } = await bankThat((_request, response) => reply(response, 404, {}))
  const moments = ["2026-11-21T20:15:00.358Z", "2026-11-21T17:15:00", "ontem", 7].map((horario) => ({
    endToEndId: "E1",
    horario,
  }))
  const events = psp.eventsReportedBy(Buffer.from(JSON.stringify(moments)))
  const expected = [new Date("2026-11-21T20:15:00.358Z"), new Date("2026-11-21T20:15:00Z"), null, null]
  expect(events?.map((event) => event.kind === "receipt" && event.reportedAt)).toEqual(expected)
})

test.each([
  [true, "inicio=2026-11-21T20%3A15%3A00.358Z&fim=2026-11-21T20%3A15%3A01.001Z"],
  [false, "inicio=2026-11-21T20%3A15%3A00Z&fim=2026-11-21T20%3A15%3A02Z"],
])(
  "a narrow window is sent with milliseconds where the bank accepts them (%s), else rounded outwards",
  async (readsMilliseconds, sent) => {
    const { psp, calls } = await bankThat((_request, response) => reply(response, 200, { pix: [] }), {
      profile: { ...simulatorProfile, readsMilliseconds },
    })
    const [from, to] = [new Date("2026-11-21T20:15:00.358Z"), new Date("2026-11-21T20:15:01.001Z")]
    await Array.fromAsync(psp.listReceipts({ from, to, isNarrow: true }))
    expect(calls[0]).toContain(sent)
  },
)

test.for([
  ['{"pix":[{"endToEndId":"E1"}]}', [reported("E1")]],
  ['[{"endToEndId":"E1"},{"endToEndId":"E2"}]', [reported("E1"), reported("E2")]],
  [
    '{"pix":[{"endToEndId":"E1","devolucoes":[{}]},{"endToEndId":"E2","devolucoes":"x"}]}',
    [reported("E1", true), reported("E2")],
  ],
  ['{"pix":[{"endToEndId":7},{"endToEndId":"a/b"},null]}', []],
  ['{"pix":{}}', null],
  ["null", null],
  ["not json", null],
] as const)("the webhook body %s reports %j", async ([body, ids]) => {
  const { psp } = await bankThat(() => undefined)
  expect(psp.eventsReportedBy(Buffer.from(body))).toEqual(ids)
})

test("a single receipt that can't be read is kept for people only when the answer names it", async () => {
  const bodies = [undefined, "<html>", {}, { ...receipt, endToEndId: "E9", valor: "x" }, { ...receipt, valor: "x" }]
  const { psp } = await bankThat((_request, response) => reply(response, 200, bodies.shift()))
  const count = bodies.length
  for (let sent = 0; sent < count; sent += 1) {
    await expect(psp.findReceipt("E1")).rejects.toMatchObject({ failure: "unknown" })
  }
  expect(bodies).toEqual([])
  expect(psp.takeUnreadable()).toMatchObject([{ kind: "receipt", reference: "E1", amountText: "x" }])
})

test("entries that can't be read are kept for people, and their alarm names them", async () => {
  const pix = [
    { ...receipt, endToEndId: "E10", valor: "10,00" },
    { ...receipt, endToEndId: "E11", horario: undefined },
    { ...receipt, endToEndId: "E12", devolucoes: [{ id: "d1" }] },
    null,
  ]
  const lines: string[] = []
  const log = createLog("error", { write: (line) => void lines.push(line) })
  const { psp } = await bankThat((_request, response) => reply(response, 200, { pix }), { log })
  expect(await readAll(psp)).toEqual(["E12"])
  const entries = psp.takeUnreadable()
  expect(entries).toMatchObject([
    { kind: "receipt", reference: "E10", amountText: "10,00", happenedAt: new Date(receipt.horario) },
    { kind: "receipt", reference: "E11", amountText: "100.00", happenedAt: null },
    { kind: "refund", reference: "E12/d1", amountText: "" },
    { kind: "receipt", reference: expect.stringMatching(/^sem-id-[0-9a-f]{16}$/) },
  ])
  expect(psp.takeUnreadable()).toEqual([])
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { alarm: "unreadable_receipt", endToEndId: "E10" },
    { alarm: "unreadable_receipt", endToEndId: "E11" },
    { alarm: "unreadable_refund", endToEndId: "E12", reference: "E12/d1" },
    { alarm: "unreadable_receipt" },
  ])
})
