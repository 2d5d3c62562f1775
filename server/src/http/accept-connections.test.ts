import { once } from "node:events"
import { type AddressInfo, connect, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import Fastify, { type FastifyInstance } from "fastify"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Acceptor, createAcceptor } from "./accept-connections.ts"

const clients = 64

let app: FastifyInstance
let acceptor: Acceptor

beforeEach(async () => {
  app = Fastify({ forceCloseConnections: "idle" })
  app.get("/", async () => "here")
  acceptor = createAcceptor(app)
  await acceptor.listen({ host: "127.0.0.1", port: 0 })
})

afterEach(() => Promise.all([app.close(), acceptor.close()]))

const portOf = () => (app.server.address() as AddressInfo).port
const dial = () => connect(portOf(), "127.0.0.1")
const asked = (connection: string) => `GET / HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\n\r\n`

test.runIf(process.platform === "linux")(
  "a crowd that comes at once is let in within a few turns of the event loop",
  async () => {
    let turns = 0
    let isOver = false
    const turn = () => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    let accepted = 0
    let firstTurn = 0
    const all = new Promise<void>((resolve) => {
      app.server.on("connection", () => {
        accepted += 1
        if (accepted === 1) firstTurn = turns
        if (accepted === clients) resolve()
      })
    })
    setImmediate(turn)
    const sockets = Array.from({ length: clients }, dial)
    await all
    isOver = true
    expect(turns - firstTurn).toBeLessThan(clients / 2)
    for (const socket of sockets) socket.destroy()
  },
)

test("each of them is answered, whichever socket it came through", async () => {
  const answers = await Promise.all(
    Array.from({ length: clients }, async () => {
      const socket = dial()
      socket.write(asked("close"))
      return text(socket)
    }),
  )
  expect(answers.filter((answer) => answer.includes("200 OK") && answer.endsWith("here"))).toHaveLength(clients)
})

test("its end waits for the answers that are under way, and closes what is idle", async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await Promise.all([app.close(), acceptor.close()])
  app = Fastify({ forceCloseConnections: "idle" })
  app.get("/", async () => "here")
  app.get("/slow", () => promise.then(() => "slow"))
  acceptor = createAcceptor(app)
  await acceptor.listen({ host: "127.0.0.1", port: 0 })
  const idle = await Promise.all(Array.from({ length: clients }, openIdle))
  const slow = dial()
  slow.write(asked("close").replace("GET /", "GET /slow"))
  await once(app.server, "request")
  let isEnded = false
  const ended = Promise.all([app.close(), acceptor.close()]).then(() => void (isEnded = true))
  await Promise.all(idle.map((socket) => once(socket, "close")))
  expect(isEnded).toBe(false)
  resolve()
  expect(await text(slow)).toContain("slow")
  await ended
})

async function openIdle(): Promise<Socket> {
  const socket = dial()
  socket.write(asked("keep-alive"))
  await once(socket, "data")
  return socket
}

test("a port that is taken is refused, also by a server that shares its own port", async () => {
  const second = Fastify()
  await expect(createAcceptor(second).listen({ host: "127.0.0.1", port: portOf() })).rejects.toThrow(/EADDRINUSE/)
  await second.close()
})
