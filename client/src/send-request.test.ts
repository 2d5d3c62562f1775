import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, test } from "vitest"
import { apiClient, rowReader } from "./api-client.ts"
import { eventReader } from "./read-events.ts"
import { TilintaError } from "./send-request.ts"

interface Answer {
  status: number
  headers?: Record<string, string>
  body?: object
  /** The connection breaks in the middle of the body. */
  isCut?: true
}
type Reply = Answer | "hang up"

let close = () => undefined as unknown

afterEach(() => close())

/** A server that gives the replies in their order, and keeps what it was asked. */
async function answering(...replies: Reply[]) {
  const asked: { request: IncomingMessage; body: string }[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      asked.push({ request, body: Buffer.concat(parts).toString() })
      const reply = replies.shift() ?? { status: 500 }
      if (reply === "hang up") return request.socket.destroy()
      const body = Buffer.from(JSON.stringify(reply.body ?? {}))
      const headers = { "content-type": "application/json", "content-length": body.length, ...reply.headers }
      response.writeHead(reply.status, headers)
      if (!reply.isCut) return response.end(reply.status === 204 ? "" : body)
      response.write(body.subarray(0, -2), () => request.socket.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  close = () => server.close()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  const tilinta = apiClient({ url, apiKey: "tk_test_x", retries: 3, timeoutMs: 30_000, fetch, pause })
  return { asked, pauses, tilinta, each: rowReader(tilinta), events: eventReader(tilinta, pause) }
}

const page = { title: "Aula", slug: "aula", amount: 80 }
const created: Answer = { status: 201, body: { status: "success", data: { checkoutPage: { _id: "1" } } } }

test("a misspelt call, or one without a parameter of its path, says what is wrong and sends nothing", async () => {
  const { asked, tilinta, each } = await answering()
  const misspelt = each("listTransactoins" as "listTransactions")
  await expect(misspelt.next()).rejects.toThrow("The API has no call 'listTransactoins'")
  const bare = tilinta.getTransaction({} as Parameters<typeof tilinta.getTransaction>[0])
  await expect(bare).rejects.toThrow("getTransaction needs params.id")
  expect(asked).toEqual([])
})

test("a call sends the key, its path, query and body, and gives the data", async () => {
  const { asked, tilinta } = await answering(created, { status: 200, body: { data: { refunds: [] } } }, { status: 204 })
  expect(await tilinta.createChargePage({ body: page })).toEqual({ checkoutPage: { _id: "1" } })
  expect(await tilinta.listRefunds({ params: { id: "a/b" } })).toEqual({ refunds: [] })
  expect(await tilinta.deleteChargePage({ params: { id: "1" } })).toBeUndefined()
  const calls = asked.map(({ request, body }) => [request.method, request.url, body])
  expect(calls).toEqual([
    ["POST", "/api/v1/checkout/pages", JSON.stringify(page)],
    ["GET", "/api/v1/payments/transactions/a%2Fb/refunds", ""],
    ["DELETE", "/api/v1/checkout/pages/1", ""],
  ])
  expect(asked[0]?.request.headers.authorization).toBe("Bearer tk_test_x")
})

test("a creation is repeated under one key: after a broken connection, a failure, and when told to wait", async () => {
  const { asked, tilinta } = await answering("hang up", { status: 502 }, { status: 503 }, created)
  await tilinta.createChargePage({ body: page })
  const keys = asked.map(({ request }) => request.headers["idempotency-key"])
  expect(keys).toHaveLength(4)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
})

test("a key of one's own is sent as it is", async () => {
  const { asked, tilinta } = await answering(created)
  await tilinta.createChargePage({ body: page, idempotencyKey: "pedido-1" })
  expect(asked[0]?.request.headers["idempotency-key"]).toBe("pedido-1")
})

test("the pause is as long as Retry-After says", async () => {
  const { pauses, tilinta } = await answering(
    { status: 429, headers: { "retry-after": "7" } },
    { status: 503 },
    created,
  )
  await tilinta.createChargePage({ body: page })
  expect(pauses).toEqual([7_000, expect.toSatisfy((ms: number) => ms >= 500 && ms <= 1_000)])
})

test("what may have happened and has no key is not repeated", async () => {
  const { asked, tilinta } = await answering({ status: 500 }, { status: 200 })
  await expect(tilinta.cancelChargePage({ params: { id: "1" } })).rejects.toMatchObject({ status: 500 })
  expect(asked).toHaveLength(1)
})

test("a refusal is an error with the server's code, words and fields, at once", async () => {
  const errors = [{ path: "title", message: "Título é obrigatório" }]
  const body = { status: "fail", message: "Confira os dados informados.", code: "validation_failed", errors }
  const { asked, tilinta } = await answering({ status: 422, body })
  const refusal = await tilinta.createChargePage({ body: page }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(TilintaError)
  expect(refusal).toMatchObject({ status: 422, code: "validation_failed", message: body.message, errors })
  expect(asked).toHaveLength(1)
})

test("a server that never answers is an error once the repeats are used up", async () => {
  const { asked, tilinta } = await answering("hang up", "hang up", "hang up", "hang up")
  await expect(tilinta.getMyBalance()).rejects.toMatchObject({ status: 0, code: "unreachable" })
  expect(asked).toHaveLength(4)
})

const cut = (answer: Answer): Answer => ({ ...answer, isCut: true })

test("an answer that breaks off after its headers is no answer: what can't happen twice is repeated", async () => {
  const { asked, tilinta } = await answering(cut(created), created)
  expect(await tilinta.createChargePage({ body: page })).toEqual({ checkoutPage: { _id: "1" } })
  expect(new Set(asked.map(({ request }) => request.headers["idempotency-key"])).size).toBe(1)
})

test("a broken answer is an error like none where a repetition might do it twice, and a refusal keeps its status", async () => {
  const { asked, tilinta } = await answering(cut({ status: 200, body: { data: {} } }), cut({ status: 422, body: {} }))
  const cancel = () => tilinta.cancelChargePage({ params: { id: "1" } })
  await expect(cancel()).rejects.toMatchObject({ name: "TilintaError", status: 0, code: "unreachable" })
  await expect(cancel()).rejects.toMatchObject({ name: "TilintaError", status: 422 })
  expect(asked).toHaveLength(2)
})

test("events are read on after pages that broke off, however often", async () => {
  const feed = (next: number): Answer => ({
    status: 200,
    body: { data: { events: [{ sequence: next }], hasMore: false, next } },
  })
  const broken = Array.from({ length: 6 }, () => cut(feed(2)))
  const { asked, events } = await answering(feed(1), ...broken, feed(2))
  const read: number[] = []
  for await (const { sequence } of events()) if (read.push(sequence) === 2) break
  expect(read).toEqual([1, 2])
  expect(asked.map(({ request }) => request.url?.match(/after=(\d+)/)?.[1])).toEqual([
    "0",
    ...broken.map(() => "1"),
    "1",
  ])
})

test("a deletion whose answer was lost has succeeded when the next one finds nothing", async () => {
  const { asked, tilinta } = await answering("hang up", { status: 404 }, { status: 502 }, { status: 404 })
  for (const id of ["1", "2"]) expect(await tilinta.deleteChargePage({ params: { id } })).toBeUndefined()
  expect(asked).toHaveLength(4)
})

test("a deletion that finds nothing at once, or after it was turned away, is an error", async () => {
  const { asked, tilinta } = await answering({ status: 404 }, { status: 429 }, { status: 404 })
  for (const id of ["1", "2"]) {
    await expect(tilinta.deleteChargePage({ params: { id } })).rejects.toMatchObject({ status: 404 })
  }
  expect(asked).toHaveLength(3)
})

test("a list is read page by page, each after the last row of the one before", async () => {
  const rows = (...ids: string[]): Reply => ({
    status: 200,
    body: { results: 3, data: { summary: {}, transactions: ids.map((_id) => ({ _id })) } },
  })
  const { asked, each } = await answering(rows("3", "2"), rows("1"), rows())
  const seen: string[] = []
  for await (const { _id } of each("listTransactions", { status: "pago", limit: 2 })) seen.push(_id)
  expect(seen).toEqual(["3", "2", "1"])
  expect(asked.map(({ request }) => request.url?.split("?")[1])).toEqual([
    "limit=2&status=pago",
    "limit=2&status=pago&after=2",
    "limit=2&status=pago&after=1",
  ])
})
