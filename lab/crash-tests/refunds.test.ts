import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { testSizes } from "../../server/test-support/test-sizes.ts"
import { embeddedUrl, killDatabase, query, readBankRefunds } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import { createPix, netOf, openShop, pay, readBalanceCents, type Shop, sendJson, setFaults } from "./shop.ts"

const atOnce = 5
const paidCents = 100_000
const refundCents = 333

let workshop: Workshop
let dataDir: string

beforeAll(async () => {
  workshop = await openWorkshop()
  dataDir = await workshop.newFolder()
})

afterAll(() => workshop.close())

interface RefundRow {
  status: string
  origin: string
  name: string
}

async function readRefunds(): Promise<RefundRow[]> {
  return query(await embeddedUrl(dataDir), "select status, origin, psp_refund_id as name from refunds")
}

/** The bank delays settlement, so that the kill finds refunds in every state. */
async function killAmid(server: ServerProcess, { token }: Shop, path: string, withDatabase: boolean): Promise<void> {
  const wish = { amount: refundCents / 100 }
  const requests = Promise.allSettled(
    Array.from({ length: atOnce }, () =>
      sendJson(server.url + path, "POST", wish, { authorization: `Bearer ${token}` }),
    ),
  )
  await sleep(100 + Math.random() * 1_400)
  server.kill("SIGKILL")
  if (withDatabase) await killDatabase(dataDir)
  await Promise.all([requests, server.exited])
}

test("kills at random moments refund nothing twice, lose no refund, and leave none on the way", async () => {
  let server = await workshop.startServer({ dataDir })
  const shop = await openShop(server.url, { reais: paidCents / 100 })
  const pix = await createPix(server.url, shop)
  const { endToEndId } = await pay(server.url, pix)
  await eventually(
    () => readBalanceCents(server.url, shop),
    (balance) => balance === netOf(paidCents),
  )
  const path = `/api/v1/payments/transactions/${pix.transactionId}/refunds`
  for (let round = 0; round < testSizes.refundKills; round += 1) {
    await setFaults(server.url, { atrasoMs: 150, liquidacaoMs: 500 })
    await killAmid(server, shop, path, round % 2 === 1)
    server = await workshop.startServer({ dataDir })
  }
  await setFaults(server.url, { atrasoMs: 0, liquidacaoMs: 0, webhooksAtivos: true })
  const taken = await sendJson(`${server.url}/simulador/api/devolucoes`, "POST", { endToEndId, valor: "10.00" })
  expect(taken.status).toBe(201)
  // A killed server's claim on a refund lasts a minute more, which nothing here needs to wait for.
  await query(await embeddedUrl(dataDir), "update refunds set next_attempt_at = now() where status = 'processing'")
  const all = await eventually(
    readRefunds,
    (refunds) =>
      refunds.every(({ status }) => status === "completed") && refunds.some(({ origin }) => origin === "bank"),
  )
  report(`${all.length - 1} refunds were asked for beside the bank's own`)
  expect(all.length).toBeGreaterThan(1)
  expect(await workshop.verify({ dataDir })).toMatchObject({ code: 0 })

  server.kill("SIGKILL")
  await server.exited
  const atBank = readBankRefunds(dataDir)
  expect(atBank.map(({ refundId }) => refundId).toSorted()).toEqual(all.map(({ name }) => name).toSorted())
})
