import { createServer } from "node:net"
import pg from "pg"
import { expect, test } from "vitest"
import { isDatabaseDown } from "./database-down.ts"

function withCode(code: string): Error {
  return Object.assign(new Error("x"), { code })
}

test.each([
  ...["57P01", "57P02", "57P03", "57P04", "57P05", "57014", "57000"],
  ...["53000", "53100", "53200", "53300", "53400"],
  ...["58000", "58030", "58P01"],
  ...["08006", "08007", "08P01", "28P01", "28000", "3D000"],
  ...["25006", "25P03", "25P04", "55P03"],
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE"],
])("code %s means that the database is down or overloaded", (code) => {
  expect(isDatabaseDown(withCode(code))).toBe(true)
  expect(isDatabaseDown(new AggregateError([new Error("x"), withCode(code)]))).toBe(true)
  expect(isDatabaseDown(new Error("query failed", { cause: withCode(code) }))).toBe(true)
})

test.each(["23505", "42501", "42P01", "40001", "22P02", "25001", "25P02", "P0001", "XX000", "ENOENT", "08"])(
  "code %s is somebody's fault",
  (code) => {
    expect(isDatabaseDown(withCode(code))).toBe(false)
  },
)

test("what is not an error is not a database that is down", () => {
  for (const value of [null, undefined, "ECONNREFUSED", { code: "57P01" }]) expect(isDatabaseDown(value)).toBe(false)
})

test("a refused connection, a connection that gets no answer, and a pool that has ended", async () => {
  const silent = createServer((socket) => socket.on("error", () => undefined).resume())
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
  const { port } = silent.address() as { port: number }
  const waiting = new pg.Pool({
    host: "127.0.0.1",
    port,
    user: "x",
    password: "x",
    connectionTimeoutMillis: 100,
    max: 1,
  })
  const waits = await Promise.all([errorOf(waiting.connect()), errorOf(waiting.connect())])
  await new Promise((resolve) => silent.close(resolve))
  const refused = await errorOf(waiting.connect())
  await waiting.end()
  const ended = await errorOf(waiting.connect())

  expect([...waits, refused, ended].map(isDatabaseDown)).toEqual([true, true, true, true])
})

async function errorOf(attempt: Promise<unknown>): Promise<unknown> {
  return attempt.then(
    () => undefined,
    (error: unknown) => error,
  )
}
