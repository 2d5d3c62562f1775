import { afterAll, beforeAll, expect, test } from "vitest"
import { openWorkshop, type Workshop } from "./server-process.ts"

let workshop: Workshop

beforeAll(async () => {
  workshop = await openWorkshop()
})

afterAll(() => workshop.close())

test("psp:check finds the simulator in order, also with a charge that is made and removed", async () => {
  const check = workshop.run("server/src/commands/check-psp.ts", {}, ["--criar"])
  const { code } = await check.exited
  const lines = check.stdout().trimEnd().split("\n")
  expect({ code, first: lines[0], last: lines.at(-1) }).toEqual({
    code: 0,
    first: "Verificando simulator (teste)",
    last: "Tudo em ordem.",
  })
  expect(lines.slice(1, -1).filter((line) => !line.startsWith("✓ "))).toEqual([])
  expect(check.stdout()).toContain("✓ Cobrança de R$ 0,01: criada, com um código Pix válido")
})

test("psp:check says in one line which variable is missing", async () => {
  const check = workshop.run("server/src/commands/check-psp.ts", {
    PIX_PROVIDER: "efi",
    PUBLIC_URL: "https://loja.example",
  })
  const { code } = await check.exited
  expect(code).toBe(2)
  expect(check.stderr()).toBe("Variável de ambiente PIX_CLIENT_ID ausente: PIX_PROVIDER=efi precisa dela.\n")
})
