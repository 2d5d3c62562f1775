import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { testSizes } from "../../server/test-support/test-sizes.ts"
import { query, readBankTotals, readBookedPayments } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { type Installation, logInAsAdmin, openInstallation } from "./installation.ts"
import type { ServerProcess } from "./server-process.ts"
import {
  type Answer,
  createPix,
  netOf,
  openShop,
  type Pix,
  pay,
  readBalanceCents,
  readStatus,
  type Shop,
  send,
  sendJson,
  setFaults,
  untilNotBusy,
} from "./shop.ts"

/** Nets exactly 100.00 at the fee of 15 %. */
const hundredNetReais = 117.65

let installation: Installation
let nodes: ServerProcess[]
let admin: string

beforeAll(async () => {
  installation = await openInstallation()
  nodes = await Promise.all([installation.startNode(), installation.startNode()])
  await setFaults(anyNode(), { liquidacaoMs: 0 })
  admin = await logInAsAdmin(anyNode())
})

afterAll(() => installation.close())

let turns = 0

/** Round robin, as behind a load balancer. */
function anyNode(): string {
  turns += 1
  return nodes[turns % nodes.length]?.url ?? ""
}

async function openShopWithHundred(): Promise<Shop> {
  const shop = await openShop(anyNode(), { reais: hundredNetReais })
  await pay(anyNode(), await createPix(anyNode(), shop))
  await untilBalance(shop, 10_000)
  return shop
}

async function untilBalance(shop: Shop, cents: number): Promise<void> {
  await eventually(
    () => readBalanceCents(anyNode(), shop),
    (balance) => balance === cents,
  )
}

function withdraw({ token }: Shop, reais: number, key: string = randomUUID()): Promise<Answer> {
  const body = { amount: reais, paymentMethod: "pix", pixKey: "ana@loja.example" }
  const headers = { authorization: `Bearer ${token}`, "idempotency-key": key }
  return untilNotBusy(() => sendJson(`${anyNode()}/api/v1/withdrawals`, "POST", body, headers))
}

function idOf({ body }: Answer): string {
  return (body["data"] as { withdrawal: { _id: string } }).withdrawal._id
}

function decide(id: string, decision: "approve" | "reject"): Promise<Answer> {
  const headers = { authorization: `Bearer ${admin}` }
  return untilNotBusy(() => sendJson(`${anyNode()}/api/v1/admin/withdrawals/${id}/${decision}`, "PATCH", {}, headers))
}

interface SellersView {
  withdrawals: { _id: string; status: string }[]
  summary: { available: number; inProgress: number; withdrawn: number; blocked: number; toCome: number }
}

async function readWithdrawals({ token }: Shop): Promise<SellersView> {
  const { body } = await send(`${anyNode()}/api/v1/withdrawals`, { headers: { authorization: `Bearer ${token}` } })
  return body["data"] as SellersView
}

function many<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)))
}

function countsOf(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const told = status < 300 ? `${status}` : `${status} ${String(body["message"])}`
    counts[told] = (counts[told] ?? 0) + 1
  }
  return counts
}

/** Records every balance that a seller reads while the work goes on. */
async function watchBalance(shop: Shop, work: Promise<unknown>): Promise<Set<number>> {
  const seen = new Set<number>()
  let isOver = false
  const watching = many(2, async () => {
    while (!isOver) seen.add(await readBalanceCents(anyNode(), shop))
  })
  await work.finally(() => {
    isOver = true
  })
  await watching
  return seen
}

async function expectBooksInOrder(): Promise<void> {
  expect(await installation.verify()).toMatchObject({ code: 0, output: expect.stringContaining("Tudo confere") })
}

test("W01: of sixty withdrawals of all there is, over two nodes at once, one is accepted", async () => {
  const shop = await openShopWithHundred()
  const asking = many(60, () => withdraw(shop, 100))
  const seen = await watchBalance(shop, asking)
  expect(countsOf(await asking)).toEqual({ 201: 1, "422 Saldo insuficiente": 59 })
  expect([...seen].filter((cents) => cents !== 10_000 && cents !== 0)).toEqual([])
  expect((await readWithdrawals(shop)).summary).toEqual({
    available: 0,
    inProgress: 100,
    withdrawn: 0,
    blocked: 0,
    toCome: 0,
  })
})

test("W02: of two hundred of 1.01 over two nodes at once 99 are accepted, and 0.01 is left", async () => {
  const shop = await openShopWithHundred()
  const asking = many(200, () => withdraw(shop, 1.01))
  const seen = await watchBalance(shop, asking)
  expect(countsOf(await asking)).toEqual({ 201: 99, "422 Saldo insuficiente": 101 })
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(0)
  expect([...seen].filter((cents) => (10_000 - cents) % 101 !== 0)).toEqual([])
  expect((await readWithdrawals(shop)).summary).toEqual({
    available: 0.01,
    inProgress: 99.99,
    withdrawn: 0,
    blocked: 0,
    toCome: 0,
  })
})

test("W04: rejected forty times over two nodes at once, the money returns once", async () => {
  const shop = await openShopWithHundred()
  const id = idOf(await withdraw(shop, 60))
  const counts = countsOf(await many(40, () => decide(id, "reject")))
  expect(counts).toEqual({ 200: 1, [Object.keys(counts).find((told) => told.startsWith("409")) ?? "409"]: 39 })
  expect((await readWithdrawals(shop)).summary).toEqual({
    available: 100,
    inProgress: 0,
    withdrawn: 0,
    blocked: 0,
    toCome: 0,
  })
})

test("W05: forty approvals and forty rejections over two nodes have one winner, and the money is where it says", async () => {
  for (let round = 0; round < testSizes.decisionRounds; round += 1) {
    const shop = await openShopWithHundred()
    const id = idOf(await withdraw(shop, 60))
    const decisions = Array.from({ length: 40 }, () => ["approve", "reject"] as const).flat()
    const answers = await Promise.all(decisions.map((decision) => decide(id, decision)))
    const winners = decisions.filter((_, index) => answers[index]?.status === 200)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(79)
    expect(winners).toHaveLength(1)
    const isPaid = winners[0] === "approve"
    const end = isPaid
      ? { available: 40, inProgress: 0, withdrawn: 60, blocked: 0, toCome: 0 }
      : { available: 100, inProgress: 0, withdrawn: 0, blocked: 0, toCome: 0 }
    await eventually(
      async () => (await readWithdrawals(shop)).summary,
      ({ inProgress }) => inProgress === 0,
    )
    expect(await readWithdrawals(shop)).toMatchObject({
      withdrawals: [{ _id: id, status: isPaid ? "completed" : "rejected" }],
      summary: end,
    })
  }
})

test("W19: one key ten times over two nodes, and after a restart, is one withdrawal; keys belong to one seller", async () => {
  const [shop, other] = await Promise.all([openShopWithHundred(), openShopWithHundred()])
  const key = randomUUID()
  const answers = await many(10, () => withdraw(shop, 30, key))
  expect(countsOf(answers)).toEqual({ 201: 10 })
  const ids = new Set(answers.map(idOf))
  expect(ids.size).toBe(1)
  await restartNode(0, "SIGKILL")
  expect(await many(2, async () => idOf(await withdraw(shop, 30, key)))).toEqual([...ids, ...ids])
  expect(await many(2, async () => (await withdraw(shop, 31, key)).status)).toEqual([422, 422])
  expect(ids.has(idOf(await withdraw(other, 30, key)))).toBe(false)
  expect((await readWithdrawals(shop)).summary).toEqual({
    available: 70,
    inProgress: 30,
    withdrawn: 0,
    blocked: 0,
    toCome: 0,
  })
  expect((await readWithdrawals(other)).summary).toEqual({
    available: 70,
    inProgress: 30,
    withdrawn: 0,
    blocked: 0,
    toCome: 0,
  })
})

async function restartNode(index: number, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  const node = nodes[index]
  nodes = nodes.filter((each) => each !== node)
  node?.kill(signal)
  await node?.exited
  nodes = [...nodes, await installation.startNode()]
}

test("P10: webhooks at both nodes, status polls and a reconciliation at once mean one credit, one mail", async () => {
  await setFaults(anyNode(), { webhooksAtivos: false })
  const shop = await openShop(anyNode(), { reais: hundredNetReais })
  const codes = await many(10, () => createPix(anyNode(), shop))
  const ended = nodes[1]
  nodes = nodes.slice(0, 1)
  ended?.kill("SIGTERM")
  await ended?.exited
  const receipts = await Promise.all(codes.map((pix) => pay(anyNode(), pix)))
  const body = { pix: receipts.map(({ endToEndId }) => ({ endToEndId })) }
  const [connection] = await query<{ path: string }>(
    installation.databaseUrl,
    "select '/webhooks/' || provider || '/' || webhook_secret || '/pix' as path from psp_connections",
  )
  const tell = () => sendJson(`${anyNode()}${connection?.path}`, "POST", body)
  // A starting node reconciles at once.
  const starting = installation.startNode()
  const told = [many(20, tell)]
  nodes = [...nodes, await starting]
  told.push(many(20, tell))
  for (const { status } of (await Promise.all(told)).flat()) expect(status).toBe(200)
  await untilPaid(codes)
  await setFaults(anyNode(), { webhooksAtivos: true })
  const booked = await readBookedPayments(installation.databaseUrl)
  for (const { endToEndId } of receipts) expect(booked.get(endToEndId)).toEqual({ times: 1, as: "credited" })
  expect(await readBalanceCents(anyNode(), shop)).toBe(codes.length * 10_000)
  await expectOneMailEach(shop, codes.length)
})

async function untilPaid(codes: Pix[]): Promise<void> {
  await eventually(
    () => Promise.all(codes.map((pix) => readStatus(anyNode(), pix))),
    (statuses) => statuses.every((status) => status === "pago"),
  )
}

async function expectOneMailEach({ email }: Shop, count: number): Promise<void> {
  const readMails = async () => {
    const { body } = await send(`${anyNode()}/simulador/api/emails?to=${encodeURIComponent(email)}`)
    return (body["emails"] as { subject: string }[]).map(({ subject }) => subject)
  }
  await eventually(readMails, (mails) => mails.length >= count)
  // The shop's alone: what a killed node was about to send waits for the end of its lease, which is five minutes.
  const waiting = `select from mails where sent_at is null and user_id = (select id from users where email = '${email}')`
  await eventually(
    () => query(installation.databaseUrl, waiting),
    (mails) => mails.length === 0,
  )
  expect(await readMails()).toHaveLength(count)
}

test("Z12: settings initialised twenty times over two nodes are made once each, and a fee of 7 stays 7", async () => {
  const headers = { authorization: `Bearer ${admin}` }
  const initialise = async () => {
    const { body } = await sendJson(`${anyNode()}/api/v1/settings/initialize`, "POST", {}, headers)
    return body["data"] as { created: number; updated: number }
  }
  const first = await many(20, initialise)
  const all = (first[0]?.created ?? 0) + (first[0]?.updated ?? 0)
  expect(all).toBeGreaterThan(0)
  expect(first.reduce((sum, { created }) => sum + created, 0)).toBe(all)

  const path = "/api/v1/settings/TRANSACTION_FEE_PERCENTAGE"
  expect(await sendJson(anyNode() + path, "PATCH", { value: 7 }, headers)).toMatchObject({ status: 200 })
  expect(await many(20, initialise)).toEqual(first.map(() => ({ created: 0, updated: all })))
  const values = await many(4, async () => {
    const { body } = await send(`${anyNode()}/api/v1/public/settings/TRANSACTION_FEE_PERCENTAGE`)
    return (body["data"] as { setting: { value: number } }).setting.value
  })
  expect(values).toEqual([7, 7, 7, 7])
  expect(await sendJson(anyNode() + path, "PATCH", { value: 15 }, headers)).toMatchObject({ status: 200 })
})

test("H10: a node that restarts again and again amid payments and withdrawals loses none and doubles none", async () => {
  const shop = await openShop(anyNode(), { reais: 50 })
  let isOver = false
  const paid: Pix[] = []
  const payers = many(4, async () => {
    while (!isOver) {
      const pix = await createPix(anyNode(), shop).catch(() => null)
      if (pix === null) continue
      await pay(installation.bankUrl, pix)
      paid.push(pix)
    }
  })
  for (const signal of ["SIGTERM", "SIGKILL", "SIGKILL"] as const) {
    await sleep(500)
    await restartNode(0, signal)
  }
  isOver = true
  await payers
  await untilPaid(paid)
  expect(await readBalanceCents(anyNode(), shop)).toBe(paid.length * netOf(5_000))
  report(`${paid.length} payments while one node restarted three times`)
})

test("and the books agree with the bank's", async () => {
  await eventually(
    () => query(installation.databaseUrl, "select id from withdrawals where status in ('approved', 'processing')"),
    (open) => open.length === 0,
  )
  for (const node of nodes) node.kill("SIGTERM")
  await Promise.all(nodes.map((node) => node.exited))
  await expectBooksInOrder()
  await installation.endBank()
  const [booked] = await query<{ balance: string }>(
    installation.databaseUrl,
    "select -balance_cents as balance from ledger_accounts where id = 'psp-clearing:simulator'",
  )
  const { paidIn, refunded, paidOut } = readBankTotals(installation.bankDataDir)
  expect(Number(booked?.balance)).toBe(paidIn - refunded - paidOut)
})
