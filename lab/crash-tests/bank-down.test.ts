import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { embeddedUrl, query, readBankCharges } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import {
  askForPix,
  createPix,
  logIn,
  openCheckout,
  openShop,
  type Pix,
  pay,
  readStatus,
  type Shop,
  setFaults,
} from "./shop.ts"

const noPix = {
  status: 503,
  body: { status: "error", message: "O banco não respondeu e nada foi cobrado. Tente de novo em alguns segundos." },
}

let workshop: Workshop
let server: ServerProcess
let shop: Shop

beforeAll(async () => {
  workshop = await openWorkshop()
  server = await workshop.startServer({ dataDir: await workshop.newFolder() })
  shop = await openShop(server.url)
  await createPix(server.url, shop)
})

beforeEach(() => setFaults(server.url, { falhaApi: null, atrasoMs: 0 }))

afterAll(() => workshop.close())

async function readCharges(): Promise<{ id: string; txid: string; status: string; removal: string; key: string }[]> {
  return query(
    await embeddedUrl(server.dataDir),
    "select id, txid, status, removal, idempotency_key as key from charges",
  )
}

async function untilPaid(pix: Pix): Promise<void> {
  await pay(server.url, pix)
  await eventually(
    () => readStatus(server.url, pix),
    (status) => status === "pago",
  )
}

test.each(["indisponivel", "timeout-antes", "timeout-apos-aceitar"])(
  "a bank that fails (%s) means a 503; the same payer's second try gets one Pix",
  async (falhaApi) => {
    const key = randomUUID()
    await setFaults(server.url, { falhaApi })
    expect(await askForPix(server.url, shop, key)).toMatchObject(noPix)
    await setFaults(server.url, { falhaApi: null })
    const pix = await createPix(server.url, shop, key)
    const charges = (await readCharges()).filter((charge) => charge.key === key && charge.status !== "failed")
    expect(charges).toMatchObject([{ id: pix.transactionId, status: "pending" }])
    await untilPaid(pix)
  },
)

test("a slow bank delays only requests that need it", async () => {
  await setFaults(server.url, { atrasoMs: 5_000 })
  const begin = performance.now()
  const slow = Promise.all(Array.from({ length: 10 }, () => createPix(server.url, shop)))
  await sleep(200)
  const others = []
  for (let time = 0; time < 3; time += 1) {
    others.push(...(await Promise.all([openCheckout(server.url, shop), logIn(server.url, shop)])))
  }
  const slowest = Math.max(...others.map(({ tookMs }) => tookMs))
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 200))
  expect(performance.now() - begin).toBeLessThan(5_000)
  expect(await slow).toHaveLength(10)
  report(
    `while ten payers waited ${Math.round(performance.now() - begin)} ms, others at most ${Math.round(slowest)} ms`,
  )
})

test("a Pix without a retry of its payer ends as failed, and can't be paid at the bank", async () => {
  const key = randomUUID()
  await setFaults(server.url, { falhaApi: "timeout-apos-aceitar" })
  expect(await askForPix(server.url, shop, key)).toMatchObject(noPix)
  await setFaults(server.url, { falhaApi: null })
  await query(
    await embeddedUrl(server.dataDir),
    "update charges set created_at = created_at - interval '1 minute' where status = 'creating'",
  )
  const [abandoned] = await eventually(
    async () => (await readCharges()).filter((charge) => charge.key === key),
    (charges) => charges.every(({ removal }) => removal === "done"),
  )
  expect(abandoned).toMatchObject({ status: "failed" })
  expect(await createPix(server.url, shop, key)).not.toMatchObject({ transactionId: abandoned?.id })
  server.kill("SIGKILL")
  await server.exited
  const atBank = readBankCharges(server.dataDir).filter(({ txid }) => txid === abandoned?.txid)
  expect(atBank).toMatchObject([{ status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" }])
})
