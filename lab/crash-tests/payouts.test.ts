import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { testSizes } from "../../server/test-support/test-sizes.ts"
import { embeddedUrl, killDatabase, query, readBankPayouts } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { administrator, logInAsAdmin } from "./installation.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "./server-process.ts"
import { createPix, expectStatus, openShop, pay, readBalanceCents, type Shop, sendJson, setFaults } from "./shop.ts"

const atOnce = 6
const amountCents = 123

let workshop: Workshop
let dataDir: string

beforeAll(async () => {
  workshop = await openWorkshop()
  dataDir = await workshop.newFolder()
})

afterAll(() => workshop.close())

function start(): Promise<ServerProcess> {
  const env = { ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password }
  return workshop.startServer({ dataDir, env })
}

async function readWithdrawals(): Promise<{ status: string; payout: string; e2e: string | null }[]> {
  const sql = "select status, payout_id as payout, end_to_end_id as e2e from withdrawals"
  return query(await embeddedUrl(dataDir), sql)
}

async function requestAndApprove(url: string, { token }: Shop, admin: string): Promise<void> {
  const wish = { amount: amountCents / 100, paymentMethod: "pix", pixKey: "ana@loja.example" }
  const asked = await sendJson(`${url}/api/v1/withdrawals`, "POST", wish, { authorization: `Bearer ${token}` })
  const { withdrawal } = asked.body.data as { withdrawal: { _id: string } }
  const path = `${url}/api/v1/admin/withdrawals/${withdrawal._id}/approve`
  expectStatus(await sendJson(path, "PATCH", {}, { authorization: `Bearer ${admin}` }), 200)
}

interface Kill {
  withDatabase: boolean
  /** Waits for the first approval, so that on a slow machine too there is something to pay. */
  afterAnApproval: boolean
}

/** The bank delays settlement, so that the kill finds payouts in every state. */
async function killAmid(server: ServerProcess, shop: Shop, { withDatabase, afterAnApproval }: Kill): Promise<void> {
  const admin = await logInAsAdmin(server.url)
  const approvals = Array.from({ length: atOnce }, () => requestAndApprove(server.url, shop, admin))
  const requests = Promise.allSettled(approvals)
  if (afterAnApproval) await Promise.any(approvals)
  await sleep(100 + Math.random() * 1_400)
  server.kill("SIGKILL")
  if (withDatabase) await killDatabase(dataDir)
  await Promise.all([requests, server.exited])
}

test("W09: kills at random moments pay no withdrawal twice, and none is left on the way", async () => {
  let server = await start()
  const shop = await openShop(server.url, { reais: 1_000 })
  await pay(server.url, await createPix(server.url, shop))
  const before = await eventually(
    () => readBalanceCents(server.url, shop),
    (balance) => balance > 0,
  )
  for (let round = 0; round < testSizes.payoutKills; round += 1) {
    await setFaults(server.url, { atrasoMs: 150, liquidacaoMs: 500 })
    await killAmid(server, shop, { withDatabase: round % 2 === 1, afterAnApproval: round === 0 })
    server = await start()
  }
  await setFaults(server.url, { atrasoMs: 0, liquidacaoMs: 0 })
  // A killed server's claim on a payout lasts a minute more, which nothing here needs to wait for.
  await query(await embeddedUrl(dataDir), "update withdrawals set next_attempt_at = now() where status = 'processing'")
  const all = await eventually(readWithdrawals, (withdrawals) =>
    withdrawals.every(({ status }) => status === "completed" || status === "pending"),
  )
  const completed = all.filter(({ status }) => status === "completed")
  report(`${all.length} withdrawals, ${completed.length} approved before a kill and paid`)
  expect(completed.length).toBeGreaterThan(0)
  expect(await readBalanceCents(server.url, shop)).toBe(before - all.length * amountCents)
  expect(await workshop.verify({ dataDir })).toMatchObject({ code: 0 })

  server.kill("SIGKILL")
  await server.exited
  const atBank = readBankPayouts(dataDir)
  expect(atBank.map(({ sendId }) => sendId).toSorted()).toEqual(completed.map(({ payout }) => payout).toSorted())
  expect(new Set(atBank.map(({ endToEndId }) => endToEndId))).toEqual(new Set(completed.map(({ e2e }) => e2e)))
})
