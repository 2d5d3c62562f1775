import type { ServerResponse } from "node:http"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { PspError } from "#psp/psp"
import { bankThat, reply } from "../../../test-support/api-pix-bank.ts"

const receipt = { endToEndId: "E1", valor: "1.00", horario: "2026-11-21T12:00:00Z" }

async function bankThatFails(pausesMs: number[]) {
  let isDown = true
  const waiting: ServerResponse[] = []
  const bank = await bankThat(
    ({ url }, response) => {
      if (url?.endsWith("hangs") === true) waiting.push(response)
      else reply(response, isDown ? 500 : 200, isDown ? {} : receipt)
    },
    { pausesMs },
  )
  const failureOf = () =>
    bank.psp.findReceipt("E1").then(
      () => "none",
      (error: { failure: string }) => error.failure,
    )
  return { ...bank, waiting, failureOf, recover: () => (isDown = false) }
}

test("a bank that keeps failing is left alone: calls fail at once, as undone", async () => {
  const { failureOf, calls } = await bankThatFails([60_000])
  for (let call = 0; call < 8; call++) expect(await failureOf()).toBe("unknown")
  for (let call = 0; call < 20; call++) expect(await failureOf()).toBe("unavailable")
  expect(calls).toHaveLength(8)
})

test("one call at a time tries whether it is back, and once it is all go through", async () => {
  const { psp, failureOf, calls, waiting, recover } = await bankThatFails([0])
  for (let call = 0; call < 8; call++) await failureOf()
  const probe = psp.findReceipt("hangs")
  await expect.poll(() => waiting.length).toBe(1)
  expect(await failureOf()).toBe("unavailable")
  expect(calls).toHaveLength(9)
  recover()
  waiting.forEach((response) => reply(response, 200, receipt))
  await probe
  expect(await Promise.all(Array.from({ length: 10 }, failureOf))).toEqual(Array.from({ length: 10 }, () => "none"))
})

test("a bank that says no is not failing", async () => {
  const { psp, calls } = await bankThat((_request, response) => reply(response, 422, {}))
  for (let call = 0; call < 20; call++)
    await expect(psp.findReceipt("E1")).rejects.toMatchObject({ failure: "rejected" })
  expect(calls).toHaveLength(20)
})

test("a bank that answers 'too many' gets no further call of that kind until its retry time", async () => {
  const { psp, calls } = await bankThat(({ url }, response) => {
    if (url?.startsWith("/pix/") !== true) return reply(response, 404, {})
    response.setHeader("retry-after", "30")
    reply(response, 429, { detail: "Muitas consultas." })
  })
  for (let call = 0; call < 3; call++) {
    await expect(psp.findReceipt("E1")).rejects.toMatchObject({ failure: "unavailable" })
  }
  expect(await psp.findReceiptsOfCharge("a".repeat(32))).toEqual([])
  expect(calls.filter((call) => call.startsWith("GET /pix/"))).toHaveLength(1)
})

test("a bank that refuses our credentials was asked nothing, and says why", async () => {
  const bank = await bankThat((_request, response) => reply(response, 200, receipt), { tokenStatus: 401 })
  const failed = bank.psp.findReceipt("E1")
  await expect(failed).rejects.toMatchObject({
    failure: "unavailable",
    message: expect.stringContaining("invalid_client"),
  })
  expect(bank.calls).toEqual([])
})

test("lists that keep failing refuse no payer a Pix, nor does any other kind of call", async () => {
  const { psp, calls } = await bankThat(({ method, url }, response) => {
    const charge = {
      txid: url?.split("/").at(-1),
      status: "ATIVA",
      valor: { original: "1.00" },
      pixCopiaECola: "000201",
    }
    if (method === "PUT" && url?.startsWith("/cob/") === true) return reply(response, 201, charge)
    reply(response, url?.startsWith("/pix?") === true ? 500 : 404, {})
  })
  const window = { from: new Date(0), to: new Date() }
  const list = async () => {
    for await (const _ of psp.listReceipts(window)) expect.unreachable()
  }
  for (let call = 0; call < 20; call++) await expect(list()).rejects.toThrow(PspError)
  expect(calls.filter((call) => call.startsWith("GET /pix?"))).toHaveLength(8)
  const sent = { txid: "a".repeat(32), amountCents: 100 as Cents, expiresInSeconds: 60, description: "" }
  expect(await psp.createCharge(sent)).toEqual({ pixCode: "000201" })
  expect(await psp.findReceipt("E1")).toBeNull()
  expect(await psp.findReceiptsOfCharge("b".repeat(32))).toEqual([])
})
