import { describe, expect, test } from "vitest"
import { createLog } from "./log.ts"

type Written = { text: string; lines: Record<string, unknown>[] }

function record(write: (log: ReturnType<typeof createLog>) => void, level = "info"): Written {
  const lines: string[] = []
  write(createLog(level, { write: (line) => lines.push(line) }))
  return { text: lines.join(""), lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

describe("createLog", () => {
  test("writes one JSON line per message, with level and time in words", () => {
    const { lines } = record((log) => {
      log.info({ port: 3000 }, "listening")
      log.debug("not shown")
    })
    expect(lines).toEqual([{ level: "info", time: expect.any(String), port: 3000, msg: "listening" }])
    expect(Number.isNaN(Date.parse(String(lines[0]?.["time"])))).toBe(false)
  })

  test.each([
    ["authorization", { headers: { Authorization: "Bearer s3gredo" } }],
    ["token", { body: { token: "s3gredo" } }],
    ["password", { users: [{ password: "s3gredo" }] }],
    ["cpf", { user: { cpf: "s3gredo" } }],
    ["email", { a: { b: { c: { email: "s3gredo" } } } }],
    ["phone", { phone: "s3gredo" }],
    ["pixKey", { withdrawal: { pixKey: "s3gredo" } }],
    ["chave", { cob: { chave: "s3gredo" } }],
    ["pixCode", { charge: { pixCode: "s3gredo" } }],
    ["client_secret", { form: { client_secret: "s3gredo" } }],
    ["customerInfo", { customerInfo: { anything: "s3gredo" } }],
    ["beyond the deepest level", { a: { b: { c: { d: { e: { f: { g: "s3gredo" } } } } } } }],
  ])("%s never reaches the output, wherever it stands", (_name, fields) => {
    const { text } = record((log) => log.info(fields, "x"))
    expect(text).not.toContain("s3gredo")
  })

  test("child loggers redact as well", () => {
    const { text } = record((log) => log.child({ requestId: "r-1" }).info({ email: "a@b.c" }, "x"))
    expect(text).toContain("r-1")
    expect(text).not.toContain("a@b.c")
  })

  test("a request is its method and route pattern, a reply its status and time", () => {
    const req = { id: "r-1", method: "GET", url: "/reset/s3gredo?x=1", routeOptions: { url: "/reset/:token" } }
    const { text, lines } = record((log) => log.info({ req, res: { statusCode: 200, elapsedTime: 12.7 } }, "done"))
    expect(lines[0]).toMatchObject({
      req: { id: "r-1", method: "GET", route: "/reset/:token" },
      res: { status: 200, ms: 13 },
    })
    expect(text).not.toContain("s3gredo")
  })

  test("an error keeps its code and stack, without the row that PostgreSQL quotes", () => {
    const error = Object.assign(new Error('duplicate "ana@loja.com.br" 123.456.789-09 98765432100'), {
      code: "23505",
      constraint: "users_email_key",
      detail: "Key (email)=(ana@loja.com.br) already exists.",
      where: "unnamed portal parameter $1 = '98765432100'",
    })
    const { text, lines } = record((log) => log.error({ err: error }, "failed"))
    expect(lines[0]?.["err"]).toMatchObject({ code: "23505", constraint: "users_email_key" })
    expect(text).toContain("log.test.ts")
    for (const personal of ["ana@", "123.456", "98765432100"]) expect(text).not.toContain(personal)
  })

  test("an object that names itself does not end the process", () => {
    const circle: Record<string, unknown> = {}
    circle["circle"] = circle
    expect(record((log) => log.info({ circle }, "x")).lines).toHaveLength(1)
  })
})
