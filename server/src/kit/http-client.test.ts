import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import { type AddressInfo, createServer as createRawServer, type Socket } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { askHttp, openConnections, ReplyTooLarge } from "./http-client.ts"

const bounds = { timeoutMs: 60_000, maxBytes: 1_000 }

/** Uses a single connection. */
async function connectionTo(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1")
  await once(server, "listening")
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const connections = openConnections({ connections: 1 })
  onTestFinished(() => {
    connections.destroy()
    server.closeAllConnections()
    server.close()
  })
  return (path: string, input: Partial<typeof bounds> = {}) =>
    askHttp(connections, origin, { path, method: "GET" }, { ...bounds, ...input })
}

test("an answer that comes in pieces, after early hints, is read as one text", async () => {
  const ask = await connectionTo((_request, response) => {
    response.writeEarlyHints({ link: "</x>; rel=preload" })
    const text = Buffer.from("\uFEFFpão")
    response.writeHead(202, { "x-kind": "pieces" })
    response.write(text.subarray(0, 5))
    setImmediate(() => response.end(text.subarray(5)))
  })
  expect(await ask("/")).toMatchObject({ status: 202, headers: { "x-kind": "pieces" }, text: "pão" })
})

test("an answer that is too large is cut off, and the next call goes through", async () => {
  const ask = await connectionTo(({ url }, response) => {
    if (url === "/endless") response.write("x".repeat(2_000))
    else response.end("fine")
  })
  await expect(ask("/endless")).rejects.toBeInstanceOf(ReplyTooLarge)
  expect((await ask("/")).text).toBe("fine")
})

test("a connection serves one call after another", async () => {
  const ports = new Set<number | undefined>()
  const ask = await connectionTo(({ socket }, response) => {
    ports.add(socket.remotePort)
    response.end("fine")
  })
  for (let call = 0; call < 3; call += 1) expect((await ask("/")).text).toBe("fine")
  expect(ports.size).toBe(1)
})

test("an answer that breaks off is an error, never a shorter text", async () => {
  const ask = await connectionTo(({ url }, response) => {
    if (url === "/fine") {
      response.end("fine")
      return
    }
    response.writeHead(200, { "content-length": "100" })
    response.write("half")
    setImmediate(() => response.destroy())
  })
  await expect(ask("/")).rejects.toMatchObject({ code: "ECONNRESET" })
  expect((await ask("/fine")).text).toBe("fine")
})

test("a handshake that never ends is a connection that was never made", async () => {
  const taken: Socket[] = []
  const server = createRawServer((socket) => taken.push(socket)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const connections = openConnections({ connectMs: 50 })
  onTestFinished(() => {
    connections.destroy()
    for (const socket of taken) socket.destroy()
    server.close()
  })
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const asked = askHttp(connections, origin, { path: "/", method: "GET" }, bounds)
  await expect(asked).rejects.toMatchObject({ code: "CONNECT_TIMEOUT" })
})

test("a timeout covers the answer and the wait for a connection; a request that was not sent is never sent", async () => {
  const asked: (string | undefined)[] = []
  const ask = await connectionTo(({ url }, response) => {
    asked.push(url)
    if (url === "/last") response.end("fine")
  })
  const silent = ask("/silent", { timeoutMs: 150 })
  const behind = ask("/behind", { timeoutMs: 50 })
  await expect(behind).rejects.toMatchObject({ name: "TimeoutError" })
  await expect(silent).rejects.toMatchObject({ name: "TimeoutError" })
  expect((await ask("/last")).text).toBe("fine")
  expect(asked).not.toContain("/behind")
})
