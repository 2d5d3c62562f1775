import { readFile } from "node:fs/promises"
import { expect, expectTypeOf, test } from "vitest"
import { callsFile, writeClientSource } from "../../tools/client-types.ts"
import type { components } from "./api-types.ts"
import type { Calls } from "./tilinta.ts"

test("the client's calls are the contract's: npm run client:types renews them, and makes the types of each", async () => {
  const { calls, types } = await writeClientSource()
  expect(await readFile(callsFile, "utf8")).toBe(calls)
  const names = [...calls.matchAll(/^ {2}(\w+): \{/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name) => !types.includes(`\n${name}: {`))).toEqual([])
})

test("generated types have the names of the API's objects", () => {
  expectTypeOf<components["schemas"]["Transaction"]>().toHaveProperty("netAmount").toEqualTypeOf<number>()
  expectTypeOf<Parameters<Calls["createChargePage"]>[0]["body"]>().toHaveProperty("title").toEqualTypeOf<string>()
  expectTypeOf<Awaited<ReturnType<Calls["getTransaction"]>>["transaction"]>().toEqualTypeOf<
    components["schemas"]["TransactionDetails"]
  >()
  expectTypeOf<Awaited<ReturnType<Calls["deleteChargePage"]>>>().toEqualTypeOf<undefined>()
})
