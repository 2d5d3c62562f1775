import { decodeBrCode } from "@tilinta/brcode/decode"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { describe, expect, test } from "vitest"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"
import { readMoment } from "./bank-stamps.ts"
import { readValue } from "./list-pages.ts"
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
  const pix = { endToEndId: "E1", valor: 1, horario: "2026-11-21T09:00:00", chave: "vendas@outra.example" }
  const { psp } = await bankThat(({ url }, response) => reply(response, 200, url?.includes("?") ? { pix: [pix] } : pix))
  expect(await psp.findReceipt("E1")).toBeNull()
  for await (const page of psp.listReceipts({ from: new Date(0), to: new Date(1) })) expect(page).toEqual([])
})

test.each([
  [{ pagador: { nome: " BRUNO\nLIMA ", cpf: "52998224725" } }, "BRUNO LIMA"],
  [{ gnExtras: { pagador: { nome: "Bruno Lima" } } }, "Bruno Lima"],
  [{ pagador: { nome: 7 } }, undefined],
  [{ pagador: "Bruno Lima", gnExtras: [] }, undefined],
  [{ pagador: { nome: " " } }, undefined],
  [{}, undefined],
])("a receipt with %j was paid by %j", async (told, payerName) => {
  const pix = { endToEndId: "E1", valor: 1, horario: "2026-11-21T09:00:00", chave: "chave@loja.example", ...told }
  const receiver = { key: "chave@loja.example", name: "Loja da Ana", city: "Recife" }
  const { psp } = await bankThat((_request, response) => reply(response, 200, pix), { receiver })
  expect((await psp.findReceipt("E1"))?.payerName).toBe(payerName)
})

describe("our key as the bank writes it", () => {
  const cases = [
    ["11222333000181", ["11.222.333/0001-81", " 11222333000181 ", 11222333000181]],
    ["12ABC34501DE35", ["12.abc.345/01de-35", "12abc34501de35"]],
    ["52998224725", ["529.982.247-25", 52998224725]],
    ["01234567890", [1234567890, "012.345.678-90"]],
    ["+5511987654321", ["+55 (11) 98765-4321", "11987654321", "5511987654321", "(11) 98765-4321"]],
    ["ana.b@loja.example", ["Ana.B@Loja.example "]],
    ["71cdf9ba-c695-4e3c-b010-abb521a3f1be", ["71CDF9BA-C695-4E3C-B010-ABB521A3F1BE"]],
  ] as const
  const spellings = cases.flatMap(([key, written]) => written.map((one) => [key, one] as const))

  test.each(spellings)("%s may come as %j", async (key, chave) => {
    const receiver = { key, name: "Loja da Ana", city: "Recife" }
    const pix = { endToEndId: "E1", valor: 1, horario: "2026-11-21T09:00:00", chave }
    const answer = (body: unknown) => bankThat((_request, response) => reply(response, 200, body), { receiver })
    expect(await (await answer(pix)).psp.findReceipt("E1")).toMatchObject({ endToEndId: "E1" })
    const { psp } = await answer({ ...charge, chave, pixCopiaECola: "000201" })
    expect(await psp.createCharge(request)).toEqual({ pixCode: "000201" })
  })

  test.each(["***.982.247-**", "ana...@loja", "00000000000"])(
    "%s is no key: its money is shown to people",
    async (chave) => {
      const receiver = { key: "52998224725", name: "Loja da Ana", city: "Recife" }
      const pix = { endToEndId: "E1", valor: 1, horario: "2026-11-21T09:00:00", chave }
      const { psp } = await bankThat((_request, response) => reply(response, 200, { pix: [pix] }), { receiver })
      for await (const page of psp.listReceipts({ from: new Date(0), to: new Date(1) })) expect(page).toEqual([])
      expect(psp.takeUnreadable()).toMatchObject([{ kind: "receipt", reference: "E1" }])
    },
  )

  test.each(["ab@loja.example", "anab@loja.example"])("%s is another one than ana.b@loja.example", async (chave) => {
    const receiver = { key: "ana.b@loja.example", name: "Loja da Ana", city: "Recife" }
    const pix = { endToEndId: "E1", valor: 1, horario: "2026-11-21T09:00:00", chave }
    const { psp } = await bankThat((_request, response) => reply(response, 200, pix), { receiver })
    expect(await psp.findReceipt("E1")).toBeNull()
    expect(psp.takeUnreadable()).toEqual([])
  })
})

describe("a charge that the bank refuses for good", () => {
  const problem = {
    type: "https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida",
    title: "Cobrança inválida.",
    status: 400,
  }
  const forbidden = { type: "https://pix.bcb.gov.br/api/v2/error/AcessoNegado", title: "Acesso negado.", status: 403 }
  const refusals = [
    [400, problem],
    [422, { erros: [{ codigo: "4769515", mensagem: "Chave inválida." }] }],
    [403, forbidden],
    [404, { title: "Não encontrado" }],
    [200, problem],
    [201, { codigo: "X", mensagem: "Chave não pertence à conta." }],
    [200, { error: "invalid_request" }],
  ] as const

  test.each(refusals)("%d %j is a refusal", async (status, body) => {
    const { psp } = await bankThat(({ method }, response) =>
      method === "PUT" ? reply(response, status, body) : reply(response, 404, {}),
    )
    await expect(psp.createCharge(request)).rejects.toMatchObject({ failure: "rejected" })
  })

  test.each([
    [403, "<html>"],
    [500, problem],
    [408, problem],
    [200, "<html>"],
    [200, { txid: request.txid }],
  ] as const)("%d %j may heal", async (status, body) => {
    const { psp } = await bankThat((_request, response) => reply(response, status, body))
    await expect(psp.createCharge(request)).rejects.toMatchObject({ failure: "unknown" })
  })
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
