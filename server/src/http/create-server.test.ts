import { once } from "node:events"
import { type AddressInfo, connect } from "node:net"
import { text } from "node:stream/consumers"
import { expect, test } from "vitest"
import { createLog } from "#kit/log"
import { currentRequest } from "#kit/request-scope"
import { createServer } from "./create-server.ts"

const log = createLog("silent")

// A body is read in the connection's scope, which inject() doesn't have: Fastify must lead back to the request's own.
test("a request is in its own scope also after a body that comes in two parts", async () => {
  const app = createServer({ log, trustedProxies: [], pressure: { level: () => "calm" } })
  app.post("/", async (request) => ({ isOwn: currentRequest() === request, body: request.body }))
  await app.listen({ host: "127.0.0.1", port: 0 })
  try {
    const begun = once(app.server, "request")
    const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1")
    const body = JSON.stringify({ name: "Ana" })
    const headers = `host: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
    socket.write(`POST / HTTP/1.1\r\n${headers}\r\n\r\n${body.slice(0, 5)}`)
    await begun
    socket.write(body.slice(5))
    const answer = await text(socket)
    expect(JSON.parse(answer.slice(answer.indexOf("{")))).toEqual({ isOwn: true, body: { name: "Ana" } })
  } finally {
    await app.close()
  }
})
