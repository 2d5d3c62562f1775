import { afterEach, beforeEach, expect, test } from "vitest"
import { eventWriter } from "#integrations/event-feed/routes"
import { fanOutEvents } from "#integrations/webhooks/deliver"
import { createWebhook } from "#integrations/webhooks/manage"
import { listDeliveries, testWebhook } from "#integrations/webhooks/resend"
import { rotateWebhookSecret } from "#integrations/webhooks/secrets"
import { createWebhookSender } from "#integrations/webhooks/sender"
import { systemClock } from "#kit/clock"
import { StartError } from "#kit/errors"
import { createLog } from "#kit/log"
import { newSecretKeyText, parseSecretKeys, type SecretKeys } from "#kit/secrets"
import { findTotp } from "#people/second-factors/table"
import { beginTotp, openTotp } from "#people/second-factors/totp"
import { ensureSealingKey } from "#platform/system/sealing-key"
import { changeReturnOrigins, openSigningKey } from "#selling/return-origins/origins"
import { resealEverything } from "#start/secrets-file"
import { createSeller } from "../../test-support/sandbox.ts"
import { tellEvents } from "../../test-support/tell-events.ts"
import { createTestDatabase, type TestDatabase } from "../../test-support/test-database.ts"
import { confirmWebhook, startReceiver, type WebhookReceiver } from "../../test-support/webhook-receiver.ts"

let database: TestDatabase
let userId: string
let receiver: WebhookReceiver

beforeEach(async () => {
  database = await createTestDatabase()
  userId = await createSeller(database)
  receiver = await startReceiver()
})

afterEach(async () => {
  await receiver.stop()
  await database.drop()
})

const [one, other] = [newSecretKeyText(), newSecretKeyText()]
const outside = { resolve: async () => [], allowsLocal: true }

function withKeys(...texts: string[]) {
  const keys = parseSecretKeys(texts.join())
  if (keys === null) throw new Error("no keys")
  const secretKeys: SecretKeys = () => keys
  return { db: database.db, clock: systemClock, dueClock: systemClock, outside, secretKeys }
}

async function readWith(...texts: string[]): Promise<string> {
  const stored = await findTotp(database.db, userId, "unconfirmed")
  if (stored === undefined) throw new Error("nothing is sealed")
  return openTotp(withKeys(...texts).secretKeys, stored)
}

async function listen(...texts: string[]) {
  const owner = { id: userId, address: null }
  const input = { owner, url: receiver.url, types: [], idempotencyKey: null, proof: null }
  const { webhook, secret } = await createWebhook(withKeys(...texts), input)
  await confirmWebhook(database, webhook.id)
  receiver.trust(secret ?? "")
  return { webhook, own: { id: webhook.id, sellerId: userId }, secret: secret ?? "" }
}

/** Delivers what waits, as a node with these keys. */
async function deliver(...texts: string[]) {
  let asked = 0
  const deps = withKeys(...texts)
  const secretKeys: SecretKeys = () => {
    asked += 1
    return deps.secretKeys()
  }
  const log = createLog("silent")
  const sender = createWebhookSender({ ...deps, secretKeys, log, writeEvent: eventWriter("http://localhost") })
  await fanOutEvents({ db: database.db, clock: systemClock })
  await sender.startDue()
  await sender.idle()
  return { asked }
}

function allow(...texts: string[]) {
  const owner = { id: userId, address: "203.0.113.9" }
  return changeReturnOrigins(withKeys(...texts), { owner, proof: null, origins: ["http://localhost:4242"] })
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

test.each([
  ["a webhook's secret", () => listen(other)],
  ["the key of the way back", () => allow(other)],
])("%s needs the key as well", async (_what, seal) => {
  await ensureSealingKey(withKeys(other))
  await seal()
  await expect(ensureSealingKey(withKeys(one))).rejects.toThrow(/SECRETS_KEY/)
})

test("of two nodes with different keys only the one that started last seals", async () => {
  await ensureSealingKey(withKeys(one))
  await ensureSealingKey(withKeys(other))
  await expect(beginTotp(withKeys(one), userId)).rejects.toThrow(/SECRETS_KEY/)
  await expect(listen(one)).rejects.toThrow(/SECRETS_KEY/)
  await expect(allow(one)).rejects.toThrow(/SECRETS_KEY/)
  expect(await findTotp(database.db, userId, "unconfirmed")).toBeUndefined()
})

test("after a rotation the new key alone opens every secret; rotated twice nothing is left to do", async () => {
  await ensureSealingKey(withKeys(one))
  const secret = await beginTotp(withKeys(one), userId)
  const { signingKey } = await allow(one)
  const { own } = await listen(one)
  const rotation = { id: own.id, owner: { id: userId, address: null }, idempotencyKey: null }
  const rotated = await rotateWebhookSecret(withKeys(one), rotation)
  expect(await resealEverything(withKeys(other, one))).toBe(3)
  expect(await resealEverything(withKeys(other, one))).toBe(0)
  await ensureSealingKey(withKeys(other))
  await expect(ensureSealingKey(withKeys(one))).rejects.toThrow(/SECRETS_KEY/)

  expect(await readWith(other)).toBe(secret)
  const origins = database.db.selectFrom("return_origins").selectAll().where("seller_id", "=", userId)
  const { key_id: keyId, sealed_key: box } = await origins.executeTakeFirstOrThrow()
  expect(openSigningKey(withKeys(other).secretKeys, userId, { keyId, box })).toBe(signingKey)
  // The receiver trusts the former secret, and then the new one.
  expect(await testWebhook(withKeys(other), own)).toMatchObject({ status: 200 })
  receiver.trust(rotated.secret ?? "")
  expect(await testWebhook(withKeys(other), own)).toMatchObject({ status: 200 })
  await expect(testWebhook(withKeys(one), own)).rejects.toThrow(/SECRETS_KEY/)
})

test("two rotations at once leave every secret readable", async () => {
  await ensureSealingKey(withKeys(one))
  const secret = await beginTotp(withKeys(one), userId)
  const { own } = await listen(one)
  await Promise.all([resealEverything(withKeys(other, one)), resealEverything(withKeys(other, one))])
  expect(await readWith(other)).toBe(secret)
  expect(await testWebhook(withKeys(other), own)).toMatchObject({ status: 200 })
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

test("a backup holds no secret, and who has it without the key, or copies a box, signs nothing", async () => {
  await ensureSealingKey(withKeys(one))
  const { own, secret } = await listen(one)
  const { signingKey } = await allow(one)
  const rows = [
    await database.db.selectFrom("webhook_endpoints").selectAll().execute(),
    await database.db.selectFrom("return_origins").selectAll().execute(),
  ]
  const dump = JSON.stringify(rows, (_name, value) =>
    value?.type === "Buffer" ? Buffer.from(value.data).toString("latin1") : value,
  )
  for (const known of [secret, secret.slice(6), signingKey ?? ""]) expect(dump).not.toContain(known)

  await tellEvents(database, userId, 3)
  await deliver(other)
  expect(receiver.hits()).toBe(0)
  const { deliveries } = await listDeliveries(database.db, own, { limit: 10 })
  expect(deliveries).toMatchObject(deliveries.map(() => ({ deliveredAt: null, lastProblem: null })))
  const copy = await listen(one)
  const { sealed_secret } = await database.db
    .selectFrom("webhook_endpoints")
    .select("sealed_secret")
    .where("id", "=", own.id)
    .executeTakeFirstOrThrow()
  const copied = database.db.updateTable("webhook_endpoints").set({ sealed_secret })
  await copied.where("id", "=", copy.own.id).execute()
  await expect(testWebhook(withKeys(one), copy.own)).rejects.toThrow(/authenticate/)
})

test("of two nodes amid a rotation each signs by old and new secrets, and opens each once, however many it sends", async () => {
  await ensureSealingKey(withKeys(one))
  await listen(one)
  await tellEvents(database, userId, 20)
  expect(await deliver(one, other)).toEqual({ asked: 1 })
  expect(receiver.received).toHaveLength(20)
  await resealEverything(withKeys(other, one))
  await tellEvents(database, userId, 20)
  expect(await deliver(other, one)).toEqual({ asked: 1 })
  await tellEvents(database, userId, 1)
  await deliver(one, other)
  expect(receiver.received).toHaveLength(41)
})
