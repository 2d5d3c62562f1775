import { afterAll, beforeEach, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import { newSecretKeyText, parseSecretKeys } from "#kit/secrets"
import { withdrawByRule } from "#money/withdrawal-rules/run"
import { holdOrderKeys } from "#platform/order-macs/macs"
import { resealEverything } from "#start/secrets-file"
import { openForgery } from "../../test-support/forgery.ts"
import type { Victim } from "../../test-support/fraud-plan.ts"
import { secretKeys } from "../../test-support/secret-keys.ts"

const log = createLog("silent")
const { plan, chief, forge, now, approve, shown, bothAreTold, expectNothingLeaves, ...forgery } = await openForgery()
let victim: Victim
const asked = (amount: number, destination?: object) => forgery.asked(victim, amount, destination)
const balance = () => forgery.balanceOf(victim)

beforeEach(async () => {
  victim = await forgery.newVictim()
})

afterAll(() => plan.close())

const run = () => withdrawByRule({ ...plan, protection: "strict", log })
const rule = async () => (await asVictim("GET", "withdrawal-rule")).json.data.rule
const destinations = async () => (await asVictim("GET", "destinations")).json.data.destinations

async function asVictim(method: "GET" | "PUT", path: string, body?: object) {
  const token = await plan.freshSessionOf(victim)
  return plan.call(method, `/api/v1/users/me/${path}`, { token, ...(body && { body }) })
}

/** One withdrawal has left, to the victim's key. */
async function paid() {
  const id = await asked(10)
  await approve(chief, id)
  await plan.left()
  expect((await shown(id)).status).toBe("completed")
  return id
}

/** An order that is forged again is an alarm, and no second mail. */
async function expectPaused({ isFirst = false } = {}) {
  const before = await balance()
  plan.clock.pass(25 * 3_600)
  await Promise.all([run(), run()])
  await run()
  expect(await balance()).toBe(before)
  expect(await rule()).toMatchObject({
    pausedBecause: "failed",
    failure: expect.stringContaining("como você o escolheu"),
  })
  if (isFirst) await bothAreTold("saque automático")
  await plan.expectTold(victim, "O seu saque automático está pausado")
  await expectNothingLeaves()
}

const thiefs = "'ladrao@dest.example'"
const forgedDestination = (id: string) => `insert into destinations
  (id, seller_id, target, method, pix_key, pix_key_kind, first_used_at, last_used_at)
  select '${id}', seller_id, 'pix:' || ${thiefs}, method, ${thiefs}, 'email', first_used_at, last_used_at
  from destinations where seller_id = '${victim.id}' limit 1`
const forgedPayment = (like: string) => `insert into withdrawals
  (id, seller_id, amount_cents, method, pix_key, pix_key_kind, payout_id, created_at, approved_at, processed_at,
    decided_by, status, provider, sent_at)
  select gen_random_uuid(), seller_id, amount_cents, method, ${thiefs}, 'email', md5(random()::text), created_at,
    approved_at, processed_at, decided_by, status, provider, sent_at from withdrawals where id = '${like}'`

test("a withdrawal rule that is inserted, with its destination and a payment to it, requests nothing", async () => {
  const [genuine, id] = [await paid(), newId()]
  await forge(
    forgedDestination(id),
    forgedPayment(genuine),
    `insert into withdrawal_rules (seller_id, every, above_cents, destination_id, next_at)
      values ('${victim.id}', 'day', 0, '${id}', ${now()})`,
  )
  await expectPaused({ isFirst: true })
})

test("a withdrawal rule whose destination is another, or has another key, requests nothing", async () => {
  const genuine = await paid()
  const [destination] = await destinations()
  const set = () => asVictim("PUT", "withdrawal-rule", { every: "day", above: 0, destinationId: destination._id })
  const id = newId()
  expect((await set()).status).toBe(200)
  await forge(
    forgedDestination(id),
    forgedPayment(genuine),
    `update withdrawal_rules set destination_id = '${id}' where seller_id = '${victim.id}'`,
  )
  await expectPaused()
  await forge(`delete from destinations where id = '${id}'`)
  expect((await set()).json.data.rule.pausedBecause).toBe(null)
  const was = `pix_key = '${victim.id}@loja.example'`
  await forge(`update destinations set pix_key = ${thiefs} where id = '${destination._id}'`)
  await expectPaused()
  await forge(`update destinations set ${was} where id = '${destination._id}'`)
  for (const change of ["above_cents = 1", "mac = null"]) {
    expect((await set()).json.data.rule.pausedBecause).toBe(null)
    await forge(`update withdrawal_rules set ${change} where seller_id = '${victim.id}'`)
    await expectPaused()
  }
})

test("a withdrawal rule that is honest goes on from morning to morning", async () => {
  await paid()
  const [destination] = await destinations()
  await asVictim("PUT", "withdrawal-rule", { every: "day", above: 100, destinationId: destination._id })
  plan.clock.pass(25 * 3_600)
  await run()
  expect(await balance()).toBe(0)
  await run()
  await plan.give(victim, 20_000)
  plan.clock.pass(25 * 3_600)
  await run()
  expect([await balance(), (await rule()).pausedBecause]).toEqual([0, null])
})

test("a withdrawal rule is as good with the new key alone", async () => {
  await paid()
  const [destination] = await destinations()
  await asVictim("PUT", "withdrawal-rule", { every: "day", above: 0, destinationId: destination._id })
  plan.clock.pass(25 * 3_600)
  const next = parseSecretKeys(newSecretKeyText())
  if (next === null) throw new Error("a new key can be read")
  await resealEverything({ ...plan, secretKeys: () => [...next, ...secretKeys()] as const })
  holdOrderKeys({ secretKeys: () => next, log })
  try {
    await run()
    expect(await balance()).toBe(0)
  } finally {
    holdOrderKeys({ secretKeys, log })
  }
})
