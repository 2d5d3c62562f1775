import { readFile } from "node:fs/promises"
import { expect, expectTypeOf, test } from "vitest"
import { clientFile, writeClientSource } from "../../tools/client-source.ts"
import type { components } from "./api-types.ts"
import type { Calls } from "./tilinta.ts"

test("the client's calls and types are the contract's: npm run client:types renews them", async () => {
  for (const [name, text] of Object.entries(await writeClientSource())) {
    expect(await readFile(clientFile(name), "utf8")).toBe(text)
  }
})

test("generated types have the names of the API's objects", () => {
  expectTypeOf<components["schemas"]["Transaction"]>().toHaveProperty("netAmount").toEqualTypeOf<number>()
  expectTypeOf<Parameters<Calls["createChargePage"]>[0]["body"]>().toHaveProperty("title").toEqualTypeOf<string>()
  expectTypeOf<Awaited<ReturnType<Calls["getTransaction"]>>["transaction"]>().toEqualTypeOf<
    components["schemas"]["TransactionDetails"]
  >()
  expectTypeOf<Awaited<ReturnType<Calls["deleteChargePage"]>>>().toEqualTypeOf<undefined>()
})
