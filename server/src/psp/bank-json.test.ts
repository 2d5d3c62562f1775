import { expect, test } from "vitest"
import * as apiPix from "#psp/api-pix/api-pix-schemas"
import * as woovi from "#psp/woovi/woovi-schemas"
import { eventsReportedBy as reportedByWoovi } from "#psp/woovi/woovi-webhooks"
import { bankThat, reply } from "../../test-support/api-pix-bank.ts"
import { knownNames, readBankJson } from "./bank-json.ts"

/** The names in a schema and in those within it. */
function namesIn(schema: unknown): string[] {
  const { shape, element, innerType, in: first, options } = (schema as { def?: Record<string, unknown> }).def ?? {}
  const own = Object.entries((shape ?? {}) as Record<string, unknown>)
  const within = [element, innerType, first, ...((options ?? []) as unknown[])].filter((each) => each !== undefined)
  return [...own.flatMap(([name, each]) => [name, ...namesIn(each)]), ...within.flatMap(namesIn)]
}

test("each name that a schema asks for is known", () => {
  const schemas = [...Object.values(apiPix), ...Object.values(woovi)].filter((each) => typeof each === "object")
  const names = schemas.flatMap(namesIn)
  expect(names.length).toBeGreaterThan(80)
  expect(names.filter((name) => !(knownNames as readonly string[]).includes(name))).toEqual([])
})

test.each([
  ["{}", {}],
  [" \n{}\r\n", {}],
  ["\uFEFF[1]", [1]],
  ['{"ENDTOENDID":"E1","Valor":"1.00"}', { endToEndId: "E1", valor: "1.00" }],
  ['{" txid ":" a\\t"}', { txid: "a" }],
  [
    '{"pix":[{"EndToEndID":"\\u00a0E1 ","devolucoes":[{"ID":" r1 "}]}]}',
    { pix: [{ endToEndId: "E1", devolucoes: [{ id: "r1" }] }] },
  ],
  ['{"valor":"1.00","VALOR":"2.00"}', { valor: "1.00" }],
  ['{"Valor":"2.00","valor":"1.00"}', { valor: "1.00" }],
  ['{"brCode":"000201"}', { brcode: "000201" }],
  ['{"__proto__":{"Valor":"1.00"}}', {}],
  ['{"nenhum":" a "}', { nenhum: "a" }],
  ['" a "', "a"],
  ["null", null],
])("%j is read as %j", (text, value) => {
  if (typeof value === "object" && value !== null) expect(readBankJson(text)).toMatchObject(value)
  else expect(readBankJson(text)).toBe(value)
})

test("what is no JSON, or nested without an end, is nothing", () => {
  for (const text of ["", "{", "<html>", "[".repeat(200_000)]) expect(readBankJson(text)).toBeUndefined()
})

const pix = { ENDTOENDID: " E1 ", TxId: "a ", Valor: " 1.00 ", HORARIO: " 2026-11-21T12:00:00Z\n", CHAVE: " OUR-KEY " }

test("receipts, charges and refunds are read whatever the case of their names and the spaces around their values", async () => {
  const { psp } = await bankThat(({ method, url }, response) => {
    if (url?.startsWith("/cob/") === true) {
      const txid = ` ${url.split("/")[2]}`
      return reply(response, 201, {
        TXID: txid,
        Status: "ATIVA ",
        VALOR: { Original: " 1.00" },
        PixCopiaECola: " 000201\n",
      })
    }
    if (url?.includes("/devolucao/") === true)
      return reply(response, 200, { ID: "r1 ", STATUS: " DEVOLVIDO", RtrId: " D1" })
    reply(response, 200, method === "GET" && url?.includes("?") === true ? { PIX: [pix] } : pix)
  })
  const receipt = { endToEndId: "E1", txid: "a", amountCents: 100, paidAt: new Date("2026-11-21T12:00:00Z") }
  expect(await psp.findReceipt("E1")).toMatchObject(receipt)
  for await (const page of psp.listReceipts({ from: new Date(0), to: new Date(1) }))
    expect(page).toMatchObject([receipt])
  const request = { txid: "a".repeat(32), amountCents: 100 as never, expiresInSeconds: 60, description: "" }
  expect(await psp.createCharge(request)).toEqual({ pixCode: "000201" })
  expect(await psp.findRefund({ endToEndId: "E1", pspRefundId: "r1" })).toMatchObject({
    state: "completed",
    returnId: "D1",
  })
  const webhook = Buffer.from(JSON.stringify({ PIX: [pix] }))
  expect(psp.eventsReportedBy(webhook)).toMatchObject([{ kind: "receipt", endToEndId: "E1" }])
  expect(psp.eventsReportedBy(Buffer.from(JSON.stringify([pix])))).toMatchObject([{ endToEndId: "E1" }])
  const payout = { TIPO: "SOLICITACAO ", GnExtras: { IDENVIO: " p1" } }
  expect(psp.eventsReportedBy(Buffer.from(JSON.stringify({ Pix: [payout] })))).toEqual([
    { kind: "payout", payoutId: "p1" },
  ])
})

test("Woovi's webhooks too", () => {
  const body = { EVENT: " OPENPIX:CHARGE_COMPLETED ", Pix: { ENDTOENDID: " E1 " } }
  expect(reportedByWoovi(Buffer.from(JSON.stringify(body)))).toMatchObject([{ kind: "receipt", endToEndId: "E1" }])
})
