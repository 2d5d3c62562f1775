import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { runProgram } from "../../test-support/run-program.ts"

const folder = await mkdtemp(join(tmpdir(), "tilinta-command-"))

afterAll(() => rm(folder, { recursive: true }))

async function run(command: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const script = new URL(`${command}.ts`, import.meta.url)
  const { code, stdout, stderr } = await runProgram(script, args, { DATA_DIR: folder, ...env })
  return { code, told: (stdout + stderr).trim().split("\n") }
}

test.each([
  ["verify", 2],
  ["reset-admin", 1],
] as const)("%s says in one line that there is no database, and makes none", async (command, code) => {
  const { told, ...ended } = await run(command)
  expect(told).toEqual([expect.stringMatching(/^Não há banco de dados em DATA_DIR \(/)])
  expect(ended.code).toBe(code)
  expect(await readdir(folder)).toEqual([])
})

test("an option that a command doesn't know gets its usage, and the stack follows where it is asked for", async () => {
  expect(await run("reset-admin", ["--sem-fatore"])).toEqual({
    code: 1,
    told: ["Uso: npm run admin:reset [-- E-MAIL] [--sem-fatores]"],
  })
  const { told } = await run("verify-receipt", ["nenhum", "--key", join(folder, "x")], { LOG_LEVEL: "debug" })
  expect(told[0]).toBe(`O arquivo ${join(folder, "x")} não existe.`)
  expect(told.join("\n")).toContain("    at ")
})
