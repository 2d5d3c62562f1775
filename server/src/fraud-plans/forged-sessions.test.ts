import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import { hashOfToken, newSecretKeyText, newToken, parseSecretKeys } from "#kit/secrets"
import { shortenSessionsOf } from "#people/sessions/sessions"
import { holdOrderKeys } from "#platform/order-macs/macs"
import { resealEverything } from "#start/secrets-file"
import { enrolPasskey, signInAssertion } from "../../test-support/enrol-passkey.ts"
import { openForgery } from "../../test-support/forgery.ts"
import type { Administrator, Victim } from "../../test-support/fraud-plan.ts"
import { secretKeys } from "../../test-support/secret-keys.ts"
import type { SoftwareAuthenticator } from "../../test-support/software-authenticator.ts"

const forgery = await openForgery()
const { plan, chief, deputy, forge, now } = forgery
let victim: Victim

beforeEach(async () => {
  victim = await forgery.newVictim()
})

afterAll(() => plan.close())

const hex = (token: string) => `'\\x${hashOfToken(token).toString("hex")}'`
const me = async (token: string) => (await plan.call("GET", "/api/v1/users/me", { token })).status
const approve = (token: string, id: string) => plan.call("PATCH", `/api/v1/admin/withdrawals/${id}/approve`, { token })

async function signIn(authenticator: SoftwareAuthenticator) {
  const credential = await signInAssertion(plan, authenticator)
  return plan.call("POST", "/api/v1/auth/passkeys", { body: { credential } })
}

/** A session that only the database's owner opened, with the MAC of an honest one of the same person. */
async function inserted(admin: Administrator): Promise<string> {
  await plan.freshSessionOf(admin, "admin")
  const token = newToken()
  await forge(`insert into sessions (id, token_hash, user_id, created_at, last_used_at, expires_at, stepped_up_at, mac)
    select '${newId()}', ${hex(token)}, user_id, created_at, last_used_at, expires_at, ${now()}, mac from sessions
    where user_id = '${admin.id}' order by created_at desc, id desc limit 1`)
  return token
}

describe("a session that only a row opened", () => {
  test("approves nothing, and all administrators are told", async () => {
    const id = await forgery.asked(victim, 7_000)
    const tokens = [await inserted(chief), await inserted(deputy)]
    for (const token of tokens) {
      expect(await approve(token, id)).toMatchObject({ status: 401, json: { code: "unauthenticated" } })
    }
    for (const admin of [chief, deputy]) await plan.expectTold(admin, "Acesso recusado: sessão não confere")
    await forgery.expectNothingLeaves()
  })

  test("is mailed once, however often it is used", async () => {
    const told = async () =>
      (await plan.mailsTo(deputy)).filter(({ subject }) => subject.startsWith("Acesso recusado")).length
    const [before, token] = [await told(), await inserted(chief)]
    for (const _ of Array.from({ length: 3 })) expect(await me(token)).toBe(401)
    await Promise.all([me(token), me(token)])
    expect(await told()).toBe(before + 1)
  })
})

describe("one's own session", () => {
  test.each([
    ["says that it was confirmed", () => `stepped_up_at = ${now()}`],
    ["is given to an administrator", () => `user_id = '${chief.id}', stepped_up_at = ${now()}`],
    ["lasts longer", () => "expires_at = expires_at + interval '1 year'"],
    ["never ends", () => "expires_at = 'infinity'"],
    ["began later", () => "created_at = created_at + interval '1 day'"],
    ["has another token", () => "token_hash = '\\x01'"],
    ["has no MAC", () => "mac = ''"],
  ])("that %s by a row is no session any more", async (_what, change) => {
    const token = await plan.sessionOf(victim)
    expect(await me(token)).toBe(200)
    await forge(`update sessions set ${change()} where token_hash = ${hex(token)}`)
    expect(await me(token)).toBe(401)
  })

  test("in which an administrator only looks doesn't become the seller's own", async () => {
    const admin = await plan.freshSessionOf(chief, "admin")
    const path = `/api/v1/admin/users/${victim.id}/view-session`
    const { token } = (await plan.call("POST", path, { token: admin })).json.data
    expect(await me(token)).toBe(200)
    await forge(`update sessions set viewer_id = null where token_hash = ${hex(token)}`)
    expect(await me(token)).toBe(401)
  })

  test("that is forged stays so when it is confirmed, and when a role shortens it", async () => {
    const token = await inserted(chief)
    expect((await plan.call("POST", "/api/v1/auth/step-up", { token, body: {} })).status).toBe(401)
    const other = await plan.sessionOf(victim)
    await forge(`update sessions set stepped_up_at = ${now()} where token_hash = ${hex(other)}`)
    await plan.db
      .transaction()
      .execute((tx) => shortenSessionsOf(tx, { id: victim.id, role: "admin" }, plan.clock.now()))
    expect(await me(other)).toBe(401)
  })
})

describe("a passkey", () => {
  test("that a row gave to an administrator lets nobody in, and all administrators are told", async () => {
    const owner = { id: victim.id, token: await plan.freshSessionOf(victim) }
    const { authenticator, passkeyId } = await enrolPasskey(plan, owner)
    expect((await signIn(authenticator)).status).toBe(200)
    await forge(
      `update passkey_owners set user_id = '${chief.id}' where user_id = '${victim.id}'`,
      `update passkeys set user_id = '${chief.id}' where id = '${passkeyId}'`,
    )
    expect(await signIn(authenticator)).toMatchObject({ status: 401, json: { code: "second_factor_invalid" } })
    for (const admin of [chief, deputy]) await plan.expectTold(admin, "Acesso recusado: chave de acesso não confere")
    await forge(
      `delete from passkeys where id = '${passkeyId}'`,
      `delete from passkey_owners where user_id = '${chief.id}'`,
    )
  })
})

test("a rotation of SECRETS_KEY keeps sessions and passkeys valid with the new key alone, and makes no forged one good", async () => {
  const [forged, owner] = [await inserted(chief), { id: victim.id, token: await plan.freshSessionOf(victim) }]
  const { authenticator } = await enrolPasskey(plan, owner)
  const next = parseSecretKeys(newSecretKeyText())
  if (next === null) throw new Error("a new key can be read")
  const rotation = { ...plan, secretKeys: () => [...next, ...secretKeys()] as const }
  expect(await resealEverything(rotation)).toBeGreaterThan(0)
  expect(await resealEverything(rotation)).toBe(0)
  holdOrderKeys({ secretKeys: () => next, log: createLog("silent") })
  try {
    expect([await me(owner.token), await me(forged)]).toEqual([200, 401])
    expect((await signIn(authenticator)).status).toBe(200)
  } finally {
    holdOrderKeys({ secretKeys, log: createLog("silent") })
  }
})
