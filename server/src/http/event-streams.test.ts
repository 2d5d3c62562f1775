import { once } from "node:events"
import { connect, type Socket } from "node:net"
import Fastify, { type FastifyInstance } from "fastify"
import { afterEach, expect, test, vi } from "vitest"
import { type EventStream, serveEventStreams } from "./event-streams.ts"

let app: FastifyInstance | undefined

afterEach(async () => {
  vi.useRealTimers()
  await app?.close()
})

async function openStream() {
  const server = Fastify()
  app = server
  const streams = serveEventStreams(server)
  const opened = Promise.withResolvers<EventStream>()
  const state = { isClosed: false }
  server.get("/", async (_, reply) => {
    opened.resolve(streams.open(reply, () => void (state.isClosed = true)))
  })
  const address = new URL(await server.listen({ host: "127.0.0.1", port: 0 }))
  const socket = connect(Number(address.port), address.hostname).on("error", () => undefined)
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n")
  const stream = await opened.promise
  stream.send("status", { status: "pendente" })
  await textFrom(socket, "pendente")
  return { socket, stream, state }
}

/** The text received until it contains this. */
async function textFrom(socket: Socket, wanted: string): Promise<string> {
  let text = ""
  while (!text.includes(wanted)) text += String((await once(socket, "data"))[0])
  return text
}

test("a client that stops reading is disconnected rather than buffered", async () => {
  const { socket, stream, state } = await openStream()
  socket.pause()
  const text = "x".repeat(100_000)
  await expect
    .poll(
      () => {
        stream.send("status", { text })
        return state.isClosed
      },
      { timeout: 10_000, interval: 1 },
    )
    .toBe(true)
  socket.destroy()
})

test("every client gets a heartbeat within twenty seconds, and a client that leaves is forgotten", async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] })
  const { socket, state } = await openStream()
  const beat = textFrom(socket, ": heartbeat")
  vi.advanceTimersByTime(20_000)
  expect(await beat).toContain(": heartbeat\n\n")
  socket.destroy()
  await expect.poll(() => state.isClosed).toBe(true)
})
