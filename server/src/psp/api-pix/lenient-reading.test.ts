import { decodeBrCode } from "@tilinta/brcode/decode"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { describe, expect, test } from "vitest"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"
import { readMoment, readValue } from "./list-pages.ts"
import { shownText } from "./token.ts"

test.each([
  ["2026-11-21T12:00:00Z", "2026-11-21T12:00:00.000Z"],
  ["2026-11-21T12:00:00.358z", "2026-11-21T12:00:00.358Z"],
  ["2026-11-21T09:00:00-03:00", "2026-11-21T12:00:00.000Z"],
  ["2026-11-21T09:00:00-0300", "2026-11-21T12:00:00.000Z"],
  ["2026-11-21T09:00:00-03", "2026-11-21T12:00:00.000Z"],
  ["2026-11-21T09:00:00", "2026-11-21T12:00:00.000Z"],
  ["2026-11-21 09:00:00.5", "2026-11-21T12:00:00.500Z"],
  ["2026-11-21T09:00", "2026-11-21T12:00:00.000Z"],
  ["2026-11-21", null],
  ["2026-13-41T09:00:00Z", null],
  ["ontem", null],
  ["", null],
])("the moment %j is %j", (text, moment) => {
  expect(readMoment(text)?.toISOString() ?? null).toBe(moment)
})

test.each([
  ["100.00", 10_000],
  ["100", 10_000],
  ["100.5", 10_050],
  [100, 10_000],
  [100.1, 10_010],
  [0.29, 29],
  [0.1 + 0.2, null],
  ["1e2", null],
  ["1,00", null],
  ["-1.00", null],
  [Number.NaN, null],
  [null, null],
  [undefined, null],
])("the value %j is %j centavos", (value, cents) => {
  expect(readValue(value)).toBe(cents)
})

const request = { txid: "a".repeat(32), amountCents: 10_000 as Cents, expiresInSeconds: 3600, description: "Curso" }
const charge = { txid: request.txid, status: "ATIVA", valor: { original: 100 }, chave: "OUR-KEY" }

describe("the code of a new charge", () => {
  test.each([["pixCopiaECola"], ["brcode"], ["textoImagemQRcode"]])("stands under %s", async (field) => {
    const { psp } = await bankThat((_request, response) => reply(response, 200, { ...charge, [field]: "000201" }))
    expect(await psp.createCharge(request)).toEqual({ pixCode: "000201" })
  })

  test.each([
    [{ location: "https://pix.banco.example/qr/v2/abc" }],
    [{ loc: { location: "pix.banco.example/qr/v2/abc" } }],
  ])("is written by us when only the location is given: %j", async (answer) => {
    const { psp } = await bankThat((_request, response) => reply(response, 201, { ...charge, ...answer }))
    const decoded = decodeBrCode((await psp.createCharge(request)).pixCode)
    if (!decoded.valid) throw new Error(decoded.error)
    expect(decoded.code).toMatchObject({
      kind: "dynamic-cob",
      url: "pix.banco.example/qr/v2/abc",
      merchantName: "Loja da Ana",
      merchantCity: "Recife",
    })
  })

  test("is refused where the charge is for another key", async () => {
    const { psp } = await bankThat((_request, response) => reply(response, 201, { ...charge, chave: "their-key" }))
    await expect(psp.createCharge(request)).rejects.toMatchObject({ failure: "rejected" })
  })
})

test("a receipt of another key of the same account is none of ours, and no alarm either", async () => {
  const pix = { endToEndId: "E1", valor: 1, horario: "2026-11-21T09:00:00", chave: "their-key" }
  const { psp } = await bankThat(({ url }, response) => reply(response, 200, url?.includes("?") ? { pix: [pix] } : pix))
  expect(await psp.findReceipt("E1")).toBeNull()
  for await (const page of psp.listReceipts({ from: new Date(0), to: new Date(1) })) expect(page).toEqual([])
})

test("what breaks the standard doesn't leave", async () => {
  const { psp, calls } = await bankThat((_request, response) => reply(response, 200, charge))
  const slips = [{ txid: "short" }, { txid: "../../pix" }, { expiresInSeconds: 0 }, { expiresInSeconds: 1.5 }]
  for (const slip of slips) {
    await expect(psp.createCharge({ ...request, ...slip })).rejects.toMatchObject({ failure: "rejected" })
  }
  expect(calls).toEqual([])
})

test("what payers are shown fits, in one line, and no sign is cut in two", () => {
  expect(shownText("  Curso\n de \u0007 Pão ")).toBe("Curso  de   Pão")
  expect(shownText("\n ")).toBeUndefined()
  expect(shownText("😀".repeat(100))).toBe("😀".repeat(70))
  expect(shownText("a".repeat(139) + "😀")).toBe("a".repeat(139))
})
