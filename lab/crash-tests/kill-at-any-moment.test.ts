import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { testSizes } from "../../server/test-support/test-sizes.ts"
import {
  type BankPayment,
  embeddedUrl,
  killDatabase,
  query,
  readBankCharges,
  readBankPayments,
  readBookedPayments,
} from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import {
  askForPix,
  createPix,
  netOf,
  openShop,
  type Pix,
  pay,
  payAtBank,
  readBalanceCents,
  readStatus,
  type Shop,
  setFaults,
} from "./shop.ts"

/** Stops after enough rounds or, on a busy machine, after this time. */
const killForMs = 40_000
const payersAtOnce = 8

let workshop: Workshop
let dataDir: string

beforeAll(async () => {
  workshop = await openWorkshop()
  dataDir = await workshop.newFolder()
})

afterAll(() => workshop.close())

/** Promises made to people: codes shown, and payments that the bank confirmed. */
interface Told {
  shown: Pix[]
  paid: string[]
}

/** Payers request Pix codes and pay every second one, until the server no longer answers. */
async function payUntilKilled(url: string, shop: Shop, told: Told): Promise<void> {
  async function comeAndPay(): Promise<void> {
    for (let visit = 0; ; visit += 1) {
      const asked = await askForPix(url, shop).catch(() => null)
      if (asked?.status !== 201) return
      const pix = asked.body.data as Pix
      told.shown.push(pix)
      if (visit % 2 === 0) continue
      const answer = await payAtBank(url, pix.pixCode).catch(() => null)
      if (answer?.status === 201) told.paid.push(String(answer.body.endToEndId))
    }
  }
  await Promise.all(Array.from({ length: payersAtOnce }, comeAndPay))
}

/** Waits for the first answers, which may take long after a start, then kills at a random moment. */
async function killAmid(server: ServerProcess, shop: Shop, told: Told, withDatabase: boolean): Promise<void> {
  const answers = withDatabase ? told.shown : told.paid
  const answeredBefore = answers.length
  const payers = payUntilKilled(server.url, shop, told)
  await eventually(
    async () => answers.length,
    (answered) => answered > answeredBefore,
  )
  await sleep(Math.random() * 400)
  server.kill("SIGKILL")
  if (withDatabase) await killDatabase(dataDir)
  await Promise.all([payers, server.exited])
}

test("kills at random moments lose no payment, double none, and leave every promise standing", async () => {
  const told: Told = { shown: [], paid: [] }
  const readyMs: number[] = []
  let atBank: BankPayment[] = []
  let server = await workshop.startServer({ dataDir })
  const shop = await openShop(server.url)
  const begin = performance.now()
  for (let round = 0; round < testSizes.kills && performance.now() - begin < killForMs; round += 1) {
    await killAmid(server, shop, told, round % 2 === 1)
    atBank = readBankPayments(dataDir)
    server = await workshop.startServer({ dataDir })
    readyMs.push(server.readyMs)
  }
  report(`${told.shown.length} codes shown, ${told.paid.length} payments confirmed, killed ${readyMs.length} times`)
  report(`ready again after ${readyMs.join(", ")} ms; every second kill took the database along`)
  expect(Math.max(...readyMs)).toBeLessThan(20_000)
  expect(told.paid.length).toBeGreaterThan(0)
  expect(atBank.map(({ endToEndId }) => endToEndId)).toEqual(expect.arrayContaining(told.paid))

  await everyPaymentIsBookedOnce(server, shop, atBank)
  await everyOpenCodeIsStillGood(server, told)
  expect(await workshop.verify({ dataDir })).toMatchObject({ code: 0 })
})

async function everyPaymentIsBookedOnce(server: ServerProcess, shop: Shop, atBank: BankPayment[]): Promise<void> {
  const databaseUrl = await embeddedUrl(dataDir)
  const booked = await eventually(
    () => readBookedPayments(databaseUrl),
    ({ size }) => size >= atBank.length,
  )
  expect(booked).toEqual(new Map(atBank.map(({ endToEndId }) => [endToEndId, { times: 1, as: "credited" }])))
  expect(await readBalanceCents(server.url, shop)).toBe(
    atBank.reduce((sum, { amountCents }) => sum + netOf(amountCents), 0),
  )
}

async function everyOpenCodeIsStillGood(server: ServerProcess, told: Told): Promise<void> {
  const states = await Promise.all(told.shown.map(async (pix) => ({ pix, status: await readStatus(server.url, pix) })))
  const open = states.filter(({ status }) => status === "pendente").map(({ pix }) => pix)
  expect(states.filter(({ status }) => status === "pago").length).toBeGreaterThanOrEqual(told.paid.length)
  expect(states.every(({ status }) => status === "pago" || status === "pendente")).toBe(true)
  expect(open.length).toBeGreaterThan(0)
  await Promise.all(open.map((pix) => pay(server.url, pix)))
  await eventually(
    () => Promise.all(open.map((pix) => readStatus(server.url, pix))),
    (statuses) => statuses.every((status) => status === "pago"),
  )
}

async function readCharges(): Promise<{ status: string; removal: string; txid: string; key: string | null }[]> {
  return query(await embeddedUrl(dataDir), "select status, removal, txid, idempotency_key as key from charges")
}

test("what a kill left half made is finished by the payer's retry, or ended and removed at the bank", async () => {
  dataDir = await workshop.newFolder()
  const killed = await workshop.startServer({ dataDir })
  const shop = await openShop(killed.url)
  await createPix(killed.url, shop, "warm-up")
  await setFaults(killed.url, { atrasoMs: 6_000 })
  const keys = Array.from({ length: 6 }, () => randomUUID())
  const asking = keys.map((key) => askForPix(killed.url, shop, key).catch(() => null))
  await eventually(
    readCharges,
    (charges) => charges.filter(({ status }) => status === "creating").length === keys.length,
  )
  await sleep(300)
  killed.kill("SIGKILL")
  expect(await Promise.all(asking)).toEqual(keys.map(() => null))
  await query(
    await embeddedUrl(dataDir),
    "update charges set created_at = created_at - interval '1 minute' where idempotency_key = any($1)",
    [keys.slice(3)],
  )

  const server = await workshop.startServer({ dataDir })
  await setFaults(server.url, { atrasoMs: 0 })
  const codes = await Promise.all(keys.slice(0, 3).map((key) => createPix(server.url, shop, key)))
  await Promise.all(codes.map((pix) => pay(server.url, pix)))
  await eventually(
    () => Promise.all(codes.map((pix) => readStatus(server.url, pix))),
    (statuses) => statuses.every((status) => status === "pago"),
  )
  const isAbandoned = ({ key }: { key: string | null }) => keys.slice(3).some((each) => each === key)
  const abandoned = await eventually(
    async () => (await readCharges()).filter(isAbandoned),
    (charges) => charges.every(({ status, removal }) => status === "failed" && removal === "done"),
  )
  expect(abandoned).toHaveLength(3)
  expect((await readCharges()).filter(({ status }) => status === "creating")).toEqual([])
  server.kill("SIGKILL")
  await server.exited
  const txids = new Set(abandoned.map(({ txid }) => txid))
  const payable = readBankCharges(dataDir).filter(({ txid, status }) => txids.has(txid) && status === "ATIVA")
  expect(payable).toEqual([])
})
