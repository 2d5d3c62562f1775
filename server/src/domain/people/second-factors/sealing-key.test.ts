import { afterEach, beforeEach, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { newSecretKeyText, parseSecretKeys, type SecretKeys } from "#kit/secret-box"
import { StartError } from "#kit/start-error"
import { createSeller } from "../../../../test-support/sandbox.ts"
import { createTestDatabase, type TestDatabase } from "../../../../test-support/test-database.ts"
import { beginTotp } from "./enrol-totp.ts"
import { ensureSealingKey, resealSecrets } from "./sealing-key.ts"
import { findTotp } from "./second-factors-repository.ts"
import { openTotp } from "./totp-box.ts"

let database: TestDatabase
let userId: string

beforeEach(async () => {
  database = await createTestDatabase()
  userId = await createSeller(database)
})

afterEach(async () => {
  await database.drop()
})

const [one, other] = [newSecretKeyText(), newSecretKeyText()]

function withKeys(...texts: string[]) {
  const keys = parseSecretKeys(texts.join())
  if (keys === null) throw new Error("no keys")
  const secretKeys: SecretKeys = () => keys
  return { db: database.db, clock: systemClock, secretKeys }
}

async function readWith(...texts: string[]): Promise<string> {
  const stored = await findTotp(database.db, userId, "unconfirmed")
  if (stored === undefined) throw new Error("nothing is sealed")
  return openTotp(withKeys(...texts).secretKeys, stored)
}

test("while nothing is sealed any key will do; afterwards a server without it doesn't start", async () => {
  await ensureSealingKey(withKeys(one))
  await ensureSealingKey(withKeys(other))
  await beginTotp(withKeys(other), userId)
  await ensureSealingKey(withKeys(other))
  await ensureSealingKey(withKeys(one, other))
  const refusal = await ensureSealingKey(withKeys(one)).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StartError)
  expect((refusal as StartError).message).toMatch(/^Variável de ambiente SECRETS_KEY/)
})

test("of two nodes with different keys only the one that started last seals", async () => {
  await ensureSealingKey(withKeys(one))
  await ensureSealingKey(withKeys(other))
  await expect(beginTotp(withKeys(one), userId)).rejects.toThrow(/SECRETS_KEY/)
  expect(await findTotp(database.db, userId, "unconfirmed")).toBeUndefined()
})

test("after a rotation the new key alone opens every secret; rotated twice nothing is left to do", async () => {
  await ensureSealingKey(withKeys(one))
  const secret = await beginTotp(withKeys(one), userId)
  expect(await resealSecrets(withKeys(other, one))).toBe(1)
  expect(await resealSecrets(withKeys(other, one))).toBe(0)
  expect(await readWith(other)).toBe(secret)
  await ensureSealingKey(withKeys(other))
  await expect(ensureSealingKey(withKeys(one))).rejects.toThrow(/SECRETS_KEY/)
})

test("two rotations at once leave every secret readable", async () => {
  await ensureSealingKey(withKeys(one))
  const secret = await beginTotp(withKeys(one), userId)
  await Promise.all([resealSecrets(withKeys(other, one)), resealSecrets(withKeys(other, one))])
  expect(await readWith(other)).toBe(secret)
})

test("a secret that is copied to another user doesn't open", async () => {
  await beginTotp(withKeys(one), userId)
  const thief = await createSeller(database)
  await beginTotp(withKeys(one), thief)
  const { sealed_secret, id } = await database.db
    .selectFrom("totp_factors")
    .selectAll()
    .where("user_id", "=", thief)
    .executeTakeFirstOrThrow()
  await database.db.updateTable("totp_factors").set({ sealed_secret, id }).where("user_id", "=", userId).execute()
  await expect(readWith(one)).rejects.toThrow(/authenticate/)
})
