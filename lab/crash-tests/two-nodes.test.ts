import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { query, readBookedPayments } from "./embedded-books.ts"
import { eventually, report } from "./eventually.ts"
import { type Installation, openInstallation } from "./installation.ts"
import type { ServerProcess } from "./server-process.ts"
import {
  createPix,
  netOf,
  openShop,
  type Pix,
  password,
  pay,
  readBalanceCents,
  readStatus,
  type Shop,
  sendJson,
  setFaults,
} from "./shop.ts"
import { openStatusStream, type StatusStream } from "./status-stream.ts"

let installation: Installation
let a: ServerProcess
let b: ServerProcess
let shop: Shop

beforeAll(async () => {
  installation = await openInstallation()
  ;[a, b] = await Promise.all([installation.startNode(), installation.startNode()])
  report(`two nodes that started at once on an empty database were ready in ${a.readyMs} and ${b.readyMs} ms`)
  shop = await openShop(a.url, { reais: 100 })
})

afterAll(() => installation.close())

async function webhookPath(): Promise<string> {
  const [row] = await query<{ path: string }>(
    installation.databaseUrl,
    "select '/webhooks/' || provider || '/' || webhook_secret || '/pix' as path from psp_connections",
  )
  return row?.path ?? ""
}

async function watchAt(node: ServerProcess, pix: Pix): Promise<StatusStream> {
  const stream = await openStatusStream(node.url, pix)
  await stream.until("pendente")
  return stream
}

test("two nodes that start at once on an empty database set it up once", async () => {
  const rows = await query<{ admins: number; migrations: number; files: number }>(
    installation.databaseUrl,
    `select (select count(*)::int from users where role = 'admin') as admins,
       (select count(*)::int from schema_migrations) as migrations,
       (select count(distinct version)::int from schema_migrations) as files`,
  )
  expect(rows[0]?.admins).toBe(1)
  expect(rows[0]?.migrations).toBe(rows[0]?.files)
  const announced = [a, b].filter((node) => node.stdout().includes("Administrador criado"))
  expect(announced).toHaveLength(1)
})

test("passwords are kept as Argon2id with the parameters that OWASP names", async () => {
  const hashes = await query<{ hash: string }>(installation.databaseUrl, "select password_hash as hash from users")
  const costs = new Set(hashes.map(({ hash }) => hash.split("$").slice(1, 4).join(" ")))
  expect(costs).toEqual(new Set(["argon2id v=19 m=19456,t=2,p=1"]))
})

test("a payment reported to one node shows at once on a stream of the other", async () => {
  await setFaults(a.url, { webhooksAtivos: false })
  const latencies: number[] = []
  const path = await webhookPath()
  for (let time = 0; time < 5; time += 1) {
    const pix = await createPix(b.url, shop)
    const streams = await Promise.all([watchAt(a, pix), watchAt(b, pix)])
    const { endToEndId } = await pay(a.url, pix)
    const toldAt = performance.now()
    expect(await sendJson(a.url + path, "POST", { pix: [{ endToEndId }] })).toMatchObject({ status: 200 })
    const shownAt = await Promise.all(streams.map((stream) => stream.until("pago")))
    latencies.push(...shownAt.map((moment) => Math.round(moment - toldAt)))
    for (const stream of streams) stream.close()
  }
  report(`webhook at one node to 'pago' on streams of both: ${latencies.join(", ")} ms`)
})

test("the bank's own webhook: from the payment to 'pago' on a stream", async () => {
  await setFaults(a.url, { webhooksAtivos: true })
  const latencies: number[] = []
  const before = await readBalanceCents(a.url, shop)
  for (let time = 0; time < 5; time += 1) {
    const pix = await createPix(a.url, shop)
    const stream = await watchAt(b, pix)
    const paidAt = performance.now()
    await pay(b.url, pix)
    latencies.push(Math.round((await stream.until("pago")) - paidAt))
    stream.close()
  }
  expect(await readBalanceCents(a.url, shop)).toBe(before + 5 * netOf(10_000))
  report(`payment at the bank to 'pago' on a stream: ${latencies.join(", ")} ms`)
})

test("payments reported to both nodes at once are credited once each", async () => {
  await setFaults(a.url, { webhooksAtivos: false })
  const before = await readBalanceCents(a.url, shop)
  const codes = await Promise.all(Array.from({ length: 20 }, () => createPix(a.url, shop)))
  const receipts = await Promise.all(codes.map((pix) => pay(b.url, pix)))
  const body = { pix: receipts.map(({ endToEndId }) => ({ endToEndId })) }
  const path = await webhookPath()
  const told = Array.from({ length: 10 }, () => [a, b].map((node) => sendJson(node.url + path, "POST", body)))
  for (const { status } of await Promise.all(told.flat())) expect(status).toBe(200)
  await eventually(
    () => Promise.all(codes.map((pix) => readStatus(b.url, pix))),
    (statuses) => statuses.every((status) => status === "pago"),
  )
  await eventually(
    () => query(installation.databaseUrl, "select id from psp_inbox where processed_at is null"),
    (waiting) => waiting.length === 0,
  )
  const booked = await readBookedPayments(installation.databaseUrl)
  for (const { endToEndId } of receipts) expect(booked.get(endToEndId)).toEqual({ times: 1, as: "credited" })
  expect(await readBalanceCents(b.url, shop)).toBe(before + codes.length * netOf(10_000))
  expect(await installation.verify()).toMatchObject({ code: 0 })
})

test("a key that is revoked at one node is refused by the other, and what waits there ends, within a second", async () => {
  const headers = { authorization: `Bearer ${shop.token}` }
  const wish = { name: "Loja virtual", scopes: ["events:read"], passwordCurrent: password }
  const created = await sendJson(`${a.url}/api/v1/users/me/api-keys`, "POST", wish, headers)
  const { key, apiKey } = created.body["data"] as { key: string; apiKey: { _id: string } }
  const ask = (wait: number) =>
    fetch(`${b.url}/api/v1/events?types=page.deleted&wait=${wait}`, { headers: { authorization: `Bearer ${key}` } })
  expect((await ask(0)).status).toBe(200)
  const waiting = ask(20)
  await sleep(200)
  const revoked = await fetch(`${a.url}/api/v1/users/me/api-keys/${apiKey._id}`, { method: "DELETE", headers })
  const revokedAt = performance.now()
  expect(revoked.status).toBe(204)
  expect((await ask(0)).status).toBe(401)
  await waiting
  expect(performance.now() - revokedAt).toBeLessThan(1_000)
})

test("one node that is killed leaves the other at work", async () => {
  await setFaults(b.url, { webhooksAtivos: true })
  a.kill("SIGKILL")
  await a.exited
  const pix = await createPix(b.url, shop)
  await pay(b.url, pix)
  await eventually(
    () => readStatus(b.url, pix),
    (status) => status === "pago",
  )
  b.kill("SIGTERM")
  expect(await b.exited).toEqual({ code: 0, signal: null })
})
