import { afterAll, beforeAll, expect, test } from "vitest"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"

let site: TestApp

beforeAll(async () => {
  site = await openTestApp()
})

afterAll(async () => {
  await site.close()
})

const read = (key: string) => site.call("GET", `/api/v1/public/settings/${key}`)

async function store(key: string, value: number | string, wishes: { is_public: boolean; category: "fees" | "api" }) {
  const row = { value: JSON.stringify(value), type: typeof value as "number" | "string", ...wishes }
  await site.db
    .insertInto("settings")
    .values({ key, description: "", ...row })
    .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
    .execute()
}

test("a setting that nobody has saved reads its default", async () => {
  const reply = await read("TRANSACTION_FEE_PERCENTAGE")
  expect(reply.status).toBe(200)
  expect(reply.json).toEqual({
    status: "success",
    data: { setting: { key: "TRANSACTION_FEE_PERCENTAGE", value: 15 } },
  })
})

test("a saved value holds from the next request on, and 0 is one", async () => {
  await store("TRANSACTION_FEE_PERCENTAGE", 0, { is_public: true, category: "fees" })
  expect((await read("transaction_fee_percentage")).json.data.setting).toEqual({
    key: "TRANSACTION_FEE_PERCENTAGE",
    value: 0,
  })
  await store("TRANSACTION_FEE_PERCENTAGE", 4.99, { is_public: true, category: "fees" })
  expect((await read("TRANSACTION_FEE_PERCENTAGE")).json.data.setting.value).toBe(4.99)
})

test("what is not public is as if it didn't exist, the category api in any case", async () => {
  await store("BANK_TOKEN", "segredo", { is_public: true, category: "api" })
  await store("INTERNAL_NOTE", "segredo", { is_public: false, category: "fees" })
  for (const key of ["BANK_TOKEN", "INTERNAL_NOTE", "PIX_EXPIRATION_MINUTES", "NADA", "__proto__", "toString"]) {
    const reply = await read(key)
    expect(reply.status).toBe(404)
    expect(reply.json).toEqual({ status: "fail", message: "Configuração não encontrada.", code: "setting_not_found" })
  }
})
