import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { embeddedUrl, readBankPayments, readBookedPayments } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import { createPix, netOf, openShop, type Pix, payAtBank, readBalanceCents, readStatus, type Shop } from "./shop.ts"

const priceCents = 3_333

let workshop: Workshop
let server: ServerProcess
let shop: Shop

beforeAll(async () => {
  workshop = await openWorkshop()
  server = await workshop.startServer({ dataDir: await workshop.newFolder() })
  report(`ready for the first time, with a new database, after ${server.readyMs} ms`)
  shop = await openShop(server.url, { reais: priceCents / 100 })
})

afterAll(() => workshop.close())

function createHundred(): Promise<Pix[]> {
  return Promise.all(Array.from({ length: 100 }, () => createPix(server.url, shop)))
}

test("a hundred payments at once to one seller are exact to the centavo", async () => {
  const codes = await createHundred()
  const begin = performance.now()
  const answers = await Promise.all(codes.map((pix) => payAtBank(server.url, pix.pixCode)))
  expect(answers.map(({ status }) => status)).toEqual(codes.map(() => 201))
  const expected = 100 * netOf(priceCents)
  await eventually(
    () => readBalanceCents(server.url, shop),
    (cents) => cents >= expected,
  )
  report(`100 payments at once: all booked ${Math.round(performance.now() - begin)} ms after the first was sent`)

  await sleep(300)
  expect(await readBalanceCents(server.url, shop)).toBe(expected)
  expect(await Promise.all(codes.map((pix) => readStatus(server.url, pix)))).toEqual(codes.map(() => "pago"))
  const { code, output } = await workshop.verify({ dataDir: server.dataDir })
  expect(output).toContain("Tudo confere: 200 lançamentos")
  expect(code).toBe(0)
})

/** Pays in parallel; a payer without an answer gives up. */
async function payUntilKilled(codes: Pix[], url: string, onPaid: (paidSoFar: number) => void): Promise<string[]> {
  const waiting = [...codes]
  const paid: string[] = []
  async function payOneAfterAnother(): Promise<void> {
    for (let pix = waiting.pop(); pix !== undefined; pix = waiting.pop()) {
      const answer = await payAtBank(url, pix.pixCode).catch(() => null)
      if (answer?.status === 201) onPaid(paid.push(String(answer.body.endToEndId)))
    }
  }
  await Promise.all(Array.from({ length: 10 }, payOneAfterAnother))
  return paid
}

test("H09: a kill -9 amid a hundred payments loses none and books none twice", async () => {
  const { dataDir } = server
  const codes = await createHundred()
  const paid = await payUntilKilled(codes, server.url, (paidSoFar) => {
    if (paidSoFar === 40) server.kill("SIGKILL")
  })
  await server.exited
  expect(paid.length).toBeGreaterThanOrEqual(40)
  expect(paid.length).toBeLessThan(100)

  const atBank = readBankPayments(dataDir)
  expect(atBank.map(({ endToEndId }) => endToEndId)).toEqual(expect.arrayContaining(paid))

  server = await workshop.startServer({ dataDir })
  report(`killed after ${paid.length} answers, ${atBank.length} payments at the bank; ready in ${server.readyMs} ms`)
  const databaseUrl = await embeddedUrl(dataDir)
  await eventually(
    async () => (await readBookedPayments(databaseUrl)).size,
    (booked) => booked >= atBank.length,
  )
  const booked = await readBookedPayments(databaseUrl)
  expect(booked).toEqual(new Map(atBank.map(({ endToEndId }) => [endToEndId, { times: 1, as: "credited" }])))
  expect(await readBalanceCents(server.url, shop)).toBe(
    atBank.reduce((sum, { amountCents }) => sum + netOf(amountCents), 0),
  )
  expect(await workshop.verify({ dataDir })).toMatchObject({ code: 0 })
})
