import { createPublicKey, generateKeyPairSync, verify } from "node:crypto"
import { afterEach, beforeEach, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import { newSecretKeyText, parseSecretKeys, type SecretKeys } from "#kit/secrets"
import { ensureSealingKey } from "#platform/system/sealing-key"
import { resealEverything } from "#start/secrets-file"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { ensureSigningKeys, openSigningKeys, rotateSigningKey } from "./keys.ts"

let database: TestDatabase
const [one, other] = [newSecretKeyText(), newSecretKeyText()]

beforeEach(async () => {
  database = await createTestDatabase()
  await ensureSealingKey(withKeys(one))
})

afterEach(() => database.drop())

function withKeys(...texts: string[]) {
  const keys = parseSecretKeys(texts.join())
  if (keys === null) throw new Error("no keys")
  const secretKeys: SecretKeys = () => keys
  return { db: database.db, clock: systemClock, secretKeys }
}

const text = Buffer.from("what is signed")

function isGood(publicKey: Buffer, signature: Buffer): boolean {
  const key = { kty: "OKP", crv: "Ed25519", x: publicKey.toString("base64url") }
  return verify(null, text, createPublicKey({ key, format: "jwk" }), signature)
}

test("two nodes that start at once sign with the same key, and each purpose has one of its own", async () => {
  await Promise.all([1, 2, 3].map(() => ensureSigningKeys(withKeys(one))))
  await ensureSigningKeys(withKeys(one))
  const nodes = [openSigningKeys(withKeys(one)), openSigningKeys(withKeys(one))]
  const signed = await Promise.all(nodes.map((node) => node.sign("receipt", text)))
  expect(new Set(signed.map(({ keyId }) => keyId)).size).toBe(1)
  for (const { publicKey, signature } of signed) expect(isGood(publicKey, signature)).toBe(true)
  const [checkpoint, receipt] = await Promise.all([
    nodes[0]?.listPublicKeys("checkpoint"),
    nodes[1]?.listPublicKeys("receipt"),
  ])
  expect([checkpoint?.length, receipt?.length]).toEqual([1, 1])
  expect(checkpoint?.[0]?.id).not.toBe(receipt?.[0]?.id)
})

test("after rotations, also two at once, one key signs and all of them stay published", async () => {
  await ensureSigningKeys(withKeys(one))
  const before = await openSigningKeys(withKeys(one)).sign("checkpoint", text)
  const ids = await Promise.all([1, 2].map(() => rotateSigningKey(withKeys(one), "checkpoint")))
  const keys = openSigningKeys(withKeys(one))
  const after = await keys.sign("checkpoint", text)
  const published = await keys.listPublicKeys("checkpoint")
  expect(published.map(({ id }) => id).toSorted()).toEqual([before.keyId, ...ids].toSorted())
  expect(published.filter(({ retiredAt }) => retiredAt === null)).toMatchObject([{ id: after.keyId }])
  expect(ids).toContain(after.keyId)
  expect(await keys.listPublicKeys("receipt")).toHaveLength(1)
})

test("a rotation of SECRETS_KEY takes the private keys along", async () => {
  await ensureSigningKeys(withKeys(one))
  const { keyId } = await openSigningKeys(withKeys(one)).sign("receipt", text)
  expect(await resealEverything(withKeys(other, one))).toBe(2)
  await ensureSealingKey(withKeys(other))
  expect(await openSigningKeys(withKeys(other)).sign("receipt", text)).toMatchObject({ keyId })
  await expect(ensureSealingKey(withKeys(one))).rejects.toThrow(/SECRETS_KEY/)
})

test("a key that somebody puts into the table, or another public key in the row of ours, is not published", async () => {
  await ensureSigningKeys(withKeys(one))
  const thief = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" })
  const publicKey = Buffer.from(thief.x ?? "", "base64url")
  const own = database.db.selectFrom("signing_keys").selectAll().where("purpose", "=", "receipt")
  const row = await own.executeTakeFirstOrThrow()
  const added = { ...row, id: "0123456789abcdef", public_key: publicKey, retired_at: row.created_at }
  await database.db.insertInto("signing_keys").values(added).execute()
  const keys = await openSigningKeys(withKeys(one)).listPublicKeys("receipt")
  expect(keys.map(({ id }) => id)).toEqual([row.id])
  expect(JSON.stringify(keys)).not.toContain("sealed")
})
