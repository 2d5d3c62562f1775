import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { createPool } from "./pools.ts"

/** AuthenticationOk and ReadyForQuery: a login that succeeds. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

// A database that ends, or the pool's own timeout, may cut the connection at this very moment.
test("a connection that is lost while it takes its settings is a failed query, and never ends the process", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.once("data", () => {
      socket.write(welcome)
      socket.once("data", () => socket.destroy())
    })
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => void server.close())
  const url = `postgres://ana@127.0.0.1:${(server.address() as AddressInfo).port}/tilinta?sslmode=disable`
  const pool = createPool({ url, max: 1, applicationName: "tilinta-test" })
  const uncaught: unknown[] = []
  const note = (error: unknown) => void uncaught.push(error)
  const others = process.listeners("uncaughtException")
  process.removeAllListeners("uncaughtException").on("uncaughtException", note)
  onTestFinished(() => {
    process.removeListener("uncaughtException", note)
    for (const other of others) process.on("uncaughtException", other)
  })
  await expect(pool.query("select 1")).rejects.toThrow(/terminated|ECONNRESET/)
  await pool.end()
  expect(uncaught).toEqual([])
})
