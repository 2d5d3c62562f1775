import type { ServerResponse } from "node:http"
import { expect, test } from "vitest"
import type { Cents } from "#kit/money"
import { simulatorProfile } from "#psp/api-pix/profiles/simulator"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"

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
  await expect(psp.removeCharge(request.txid)).rejects.toMatchObject({ failure: "unknown" })
  status = "REMOVIDA_PELO_USUARIO_RECEBEDOR"
  expect(await psp.removeCharge(request.txid)).toBe("removed")
  status = "CONCLUIDA"
  expect(await psp.removeCharge(request.txid)).toBe("paid")
  status = "absent"
  expect(await psp.removeCharge(request.txid)).toBe("absent")
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
  async (readsMilliseconds, asked) => {
    const { psp, calls } = await bankThat((_request, response) => reply(response, 200, { pix: [] }), {
      profile: { ...simulatorProfile, readsMilliseconds },
    })
    const [from, to] = [new Date("2026-11-21T20:15:00.358Z"), new Date("2026-11-21T20:15:01.001Z")]
    await Array.fromAsync(psp.listReceipts({ from, to, isNarrow: true }))
    expect(calls[0]).toContain(asked)
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
