import { afterEach, beforeEach, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { StartError } from "#kit/errors"
import { secretKeys } from "../../../test-support/secret-keys.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { ensureFirstAdmin } from "./first-admin.ts"
import { logIn } from "./log-in.ts"

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})

afterEach(async () => {
  await database.drop()
})

const ensure = (email: string | null, password: string | null) =>
  ensureFirstAdmin({ db: database.db, clock: systemClock }, { email, password })

const logInAs = (email: string, password: string) =>
  logIn(
    { db: database.db, clock: systemClock, secretKeys, protection: "relaxed" },
    { email, password, origin: { address: "127.0.0.1", userAgent: "" } },
  )

test("the operator's admin logs in with the operator's password", async () => {
  expect(await ensure("dona@loja.example", "senha da dona")).toEqual({
    email: "dona@loja.example",
    inventedPassword: null,
  })
  expect((await logInAs("dona@loja.example", "senha da dona")).user.role).toBe("admin")
})

test("without an address and a password both are generated, and the password is returned", async () => {
  const made = await ensure(null, null)
  expect(made).toEqual({ email: "admin@localhost", inventedPassword: expect.stringMatching(/^[\w-]{22}$/) })
  expect((await logInAs("admin@localhost", made?.inventedPassword ?? "")).user.role).toBe("admin")
})

test("a second start makes no second admin and changes no password", async () => {
  await ensure(null, "primeira-senha")
  expect(await ensure("outra@loja.example", "outra-senha")).toBeNull()
  expect((await logInAs("admin@localhost", "primeira-senha")).user.role).toBe("admin")
})

test("only one of several nodes that start at once creates the admin", async () => {
  const made = await Promise.all([ensure(null, null), ensure(null, null), ensure(null, null)])
  expect(made.filter((each) => each !== null)).toHaveLength(1)
})

test("a seller is never made admin by their e-mail", async () => {
  await ensure("vendedora@loja.example", "senha-antiga")
  await database.db.updateTable("users").set({ role: "user" }).execute()
  await expect(ensure("vendedora@loja.example", "senha-nova")).rejects.toThrow(StartError)
})
