import { readdirSync } from "node:fs"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DomainError } from "#kit/errors"
import { createLog } from "#kit/log"
import { createAcceptor } from "./accept-connections.ts"
import { createServer } from "./create-server.ts"

let app: ReturnType<typeof createServer>
let acceptor: ReturnType<typeof createAcceptor>
let clients: Socket[]
let held: Set<Socket>

beforeEach(async () => {
  clients = []
  held = new Set()
  app = createServer({ log: createLog("silent"), trustedProxies: [], pressure: { level: () => "calm" } })
  app.post("/", async () => "taken")
  const refuse = (error: DomainError) => ({
    onRequest: (_request: unknown, _reply: unknown, done: (error: Error) => void) => done(error),
    handler: async () => "taken",
  })
  app.post("/429", refuse(new DomainError("too_many_requests", { retryAfterSeconds: 30 })))
  app.get("/503", refuse(new DomainError("overloaded", { retryAfterSeconds: 3 })))
  app.server.on("connection", (socket: Socket) => {
    held.add(socket)
    socket.once("close", () => held.delete(socket))
  })
  acceptor = createAcceptor(app)
  await acceptor.listen({ host: "127.0.0.1", port: 0 })
})

afterEach(async () => {
  for (const client of clients) client.destroy()
  app.server.closeAllConnections()
  await Promise.all([app.close(), acceptor.close()])
})

/** A client that never closes its side, whatever the server does. */
function dial(sent: string): Socket {
  const { port } = app.server.address() as AddressInfo
  const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
  client.on("error", () => undefined)
  if (sent !== "") client.write(sent)
  clients.push(client)
  return client
}

const descriptors = () => readdirSync("/proc/self/fd").length
const head = "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"

test.runIf(process.platform === "linux")(
  "connections that send nothing, or too slowly, hold no descriptor half a minute later",
  { timeout: 90_000 },
  async () => {
    const before = descriptors()
    for (let made = 0; made < 200; made += 1) {
      dial("")
      dial("GET / HTTP/1.1\r\nhost: x\r\nx-slow: ")
    }
    for (let made = 0; made < 20; made += 1) dial(`${head}content-length: 9\r\n\r\n`)
    const trickle = setInterval(() => {
      for (const client of clients.slice(1, 400).filter((_, at) => at % 2 === 0)) client.write("a")
    }, 1_000)
    try {
      await expect.poll(() => held.size).toBe(420)
      await expect.poll(() => held.size, { timeout: 75_000 }).toBe(0)
      expect(descriptors()).toBeLessThanOrEqual(before + clients.length)
    } finally {
      clearInterval(trickle)
    }
  },
)

describe("a refused connection is closed, though the client never closes its side", () => {
  test.each([
    ["400 for what isn't HTTP", "NÃO É HTTP\r\n\r\n", 400],
    ["400 for two lengths", `${head}content-length: 1\r\ncontent-length: 2\r\n\r\n`, 400],
    ["a head that is too long", `${head}x-long: ${"a".repeat(70_000)}`, 400],
    ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
    ["two hosts", "GET / HTTP/1.1\r\nhost: x\r\nhost: x\r\n\r\n", 400],
    ["two hosts in other letters, one of them empty", "GET / HTTP/1.1\r\nHost: x\r\nHOST:\r\n\r\n", 400],
    ["a host that is none", "GET / HTTP/1.1\r\nhost: ana@x/y\r\n\r\n", 400],
    ["two hosts in one line", "GET / HTTP/1.1\r\nhost: x, y\r\n\r\n", 400],
    ["413 by its length", `${head}content-length: 2000000\r\n\r\n`, 413],
    [
      "413 by its chunks",
      `${head}transfer-encoding: chunked\r\n\r\n${`10000\r\n${"a".repeat(65_536)}\r\n`.repeat(17)}`,
      413,
    ],
    ["429, its body unsent", `${head.replace("/", "/429")}content-length: 9\r\n\r\n`, 429],
    ["429", `${head.replace("/", "/429")}content-length: 2\r\n\r\n{}`, 429],
    ["503", "GET /503 HTTP/1.1\r\nhost: x\r\n\r\n", 503],
  ])("%s", { timeout: 30_000 }, async (_name, sent, status) => {
    const client = dial(sent)
    const answer = await new Promise<string>((resolve) => client.once("data", (data) => resolve(String(data))))
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    await expect.poll(() => held.size).toBe(0)
  })

  test("CONNECT gets no answer at all", async () => {
    dial("CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n")
    await expect.poll(() => clients[0]?.readable).toBe(true)
    await expect.poll(() => held.size).toBe(0)
  })
})

test("a caller who was told to come back later and comes at once is served on the same connection", async () => {
  const client = dial("GET /503 HTTP/1.1\r\nhost: x\r\n\r\n")
  const next = () => new Promise<string>((resolve) => client.once("data", (data) => resolve(String(data))))
  expect(await next()).toMatch(/^HTTP\/1\.1 503 [^]*\r\nkeep-alive: timeout=5\r\n/i)
  client.write(`${head}content-length: 2\r\n\r\n{}`)
  expect(await next()).toMatch(/^HTTP\/1\.1 200 [^]*taken$/)
})
