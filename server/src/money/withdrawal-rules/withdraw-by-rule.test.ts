import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import { pino } from "pino"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { verifyLedger } from "#ledger/reads"
import { stopAccount } from "#money/withdrawals/account"
import { issueNotMeLink } from "#people/freezes/freeze"
import { newPerson, type Person } from "../../../test-support/admins.ts"
import { asOwner } from "../../../test-support/as-owner.ts"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { rewriteSessions } from "../../../test-support/rewrite-sessions.ts"
import { openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { saveSetting } from "../../../test-support/save-setting.ts"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"
import { openTwoAdmins } from "../../../test-support/two-admins.ts"
import { nextMorning } from "./rules.ts"
import { withdrawByRule } from "./run.ts"

describe("the next morning", () => {
  test.each([
    ["day", "2026-11-21T08:59:59.999Z", "2026-11-21T09:00:00.000Z"],
    ["day", "2026-11-21T09:00:00.000Z", "2026-11-22T09:00:00.000Z"],
    ["week", "2026-11-21T12:00:00.000Z", "2026-11-23T09:00:00.000Z"],
    ["week", "2026-11-23T08:00:00.000Z", "2026-11-23T09:00:00.000Z"],
    ["week", "2026-11-23T09:00:00.000Z", "2026-11-30T09:00:00.000Z"],
    ["month", "2026-12-01T08:00:00.000Z", "2026-12-01T09:00:00.000Z"],
    ["month", "2026-12-01T10:00:00.000Z", "2027-01-01T09:00:00.000Z"],
    ["month", "2027-01-31T23:00:00.000Z", "2027-02-01T09:00:00.000Z"],
  ] as const)("each %s after %s is %s", (every, after, morning) => {
    expect(nextMorning(every, new Date(after)).toISOString()).toBe(morning)
  })
})

describe("a seller's rule", () => {
  let bank: Sandbox
  let site: TestApp
  let carla: Person
  let seller: Person
  let destinationId: string
  let sellers = 0

  beforeAll(async () => {
    bank = await openSandbox()
    site = await openTestApp({ psp: { ...bank.psp, payouts: null } })
  })

  afterAll(async () => {
    expect(await verifyLedger(site.db)).toEqual([])
    await site.close()
    await bank.close()
  })

  /** With 100.00, and a destination to which 10.00 was paid. */
  beforeEach(async () => {
    sellers += 1
    carla = await newPerson(site, `carla${sellers}@tilinta.example`, "admin")
    seller = await newPerson(site, `ana${sellers}@loja.example`)
    await giveBalance(site.db, seller.id, 11_000)
    const asked = await call("POST", "withdrawals", { amount: 10, paymentMethod: "pix", pixKey: seller.email })
    const id: string = asked.json.data.withdrawal._id
    await site.call("PATCH", `/api/v1/admin/withdrawals/${id}/approve`, { token: carla.token })
    await site.call("PATCH", `/api/v1/admin/withdrawals/${id}/complete`, { token: carla.token })
    destinationId = (await call("GET", "users/me/destinations")).json.data.destinations[0]._id
  })

  const call = (method: "GET" | "POST" | "PUT" | "DELETE" | "PATCH", path: string, body?: object) =>
    site.call(method, `/api/v1/${path}`, { token: seller.token, ...(body && { body }) })
  const put = (changes: object = {}) =>
    call("PUT", "users/me/withdrawal-rule", { every: "day", above: 50, destinationId, ...changes })
  const rule = async () => (await call("GET", "users/me/withdrawal-rule")).json.data.rule
  const run = () => withdrawByRule({ ...site, protection: "relaxed", log: pino({ level: "silent" }) })
  const nextDay = () => site.clock.pass(86_400)
  const amounts = async () =>
    (await call("GET", "withdrawals?status=pending")).json.data.withdrawals.map(
      ({ amount }: { amount: number }) => amount,
    )

  test("requests all that is available once it is more than the amount, the next morning and not before", async () => {
    expect((await put()).json.data.rule).toMatchObject({ every: "day", above: 50, destinationId, pausedBecause: null })
    await run()
    expect(await amounts()).toEqual([])
    nextDay()
    await run()
    expect(await amounts()).toEqual([100])
    await giveBalance(site.db, seller.id, 5_000)
    nextDay()
    await run()
    expect(await amounts()).toEqual([100])
    await giveBalance(site.db, seller.id, 1)
    nextDay()
    await run()
    expect(await amounts()).toEqual([50.01, 100])
  })

  test("one morning is one request, however often and on how many nodes it runs", async () => {
    await put({ above: 0 })
    nextDay()
    await Promise.all([run(), run(), run(), run()])
    expect(await amounts()).toEqual([100])
    await giveBalance(site.db, seller.id, 5_000)
    await run()
    expect(await amounts()).toEqual([100])
  })

  test("a request of its own at the same moment and the rule's take no more than there is", async () => {
    await put({ above: 0 })
    nextDay()
    const own = () => call("POST", "withdrawals", { amount: 70, paymentMethod: "pix", pixKey: seller.email })
    const [, asked] = await Promise.all([run(), own()])
    const taken: number[] = await amounts()
    expect(taken.reduce((sum, amount) => sum + amount, 0)).toBe(100)
    expect(asked.status === 201 ? taken.toSorted() : taken).toEqual(asked.status === 201 ? [30, 70] : [100])
  })

  test("killed between two lines it requests nothing, and the next run does", async () => {
    await put({ above: 0 })
    nextDay()
    const dies = "begin raise exception 'killed'; end"
    await asOwner(site.database, `create function die() returns trigger language plpgsql as $$${dies}$$`)
    for (const table of ["withdrawals", "journal", "withdrawal_rules"]) {
      await asOwner(site.database, `create trigger dies after insert or update on ${table} execute function die()`)
      await expect(run()).rejects.toThrow("killed")
      await asOwner(site.database, `drop trigger dies on ${table}`)
      expect([table, await amounts(), (await rule()).pausedBecause]).toEqual([table, [], null])
    }
    await run()
    expect(await amounts()).toEqual([100])
  })

  test("goes only where one was paid, and is refused or paused where it may not", async () => {
    const asked = await call("POST", "withdrawals", { amount: 10, paymentMethod: "pix", pixKey: "nova@loja.example" })
    await call("PATCH", `withdrawals/${asked.json.data.withdrawal._id}/cancel`)
    const [fresh] = (await call("GET", "users/me/destinations")).json.data.destinations
    expect((await put({ destinationId: fresh._id })).json.code).toBe("destination_not_proven")
    expect((await put({ destinationId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27" })).status).toBe(404)
    await put({ above: 0 })
    await call("DELETE", `users/me/destinations/${destinationId}`)
    nextDay()
    await run()
    expect(await amounts()).toEqual([])
    expect(await rule()).toMatchObject({ pausedBecause: "failed", failure: errorMessages.not_found })
    const notices = (await call("GET", "users/me/notices")).json.data.notices
    expect(notices[0].title).toBe("O seu saque automático está pausado")
  })

  test("pauses after the first that failed, with one tap, and goes on when its seller says so", async () => {
    await put({ above: 0 })
    nextDay()
    await run()
    const admin = await newPerson(site, `beto${sellers}@tilinta.example`, "admin")
    const [pending] = (await call("GET", "withdrawals?status=pending")).json.data.withdrawals
    await site.call("PATCH", `/api/v1/admin/withdrawals/${pending._id}/reject`, {
      token: admin.token,
      body: { adminNotes: "Não" },
    })
    nextDay()
    await run()
    expect(await amounts()).toEqual([])
    expect(await rule()).toMatchObject({ pausedBecause: "failed" })
    await put({ above: 0 })
    await put({ above: 99, paused: true })
    expect(await rule()).toMatchObject({ pausedBecause: "by_owner", above: 0 })
    nextDay()
    await run()
    expect(await amounts()).toEqual([])
    await put({ above: 0 })
    nextDay()
    await run()
    expect(await amounts()).toEqual([100])
    expect((await call("DELETE", "users/me/withdrawal-rule")).status).toBe(204)
    expect(await rule()).toBe(null)
  })

  test("pauses after one that failed, though a later one was requested before", async () => {
    await put({ above: 0 })
    nextDay()
    await run()
    const [first] = (await call("GET", "withdrawals?status=pending")).json.data.withdrawals
    await giveBalance(site.db, seller.id, 5_000)
    nextDay()
    await run()
    expect(await amounts()).toEqual([50, 100])
    const { token } = await newPerson(site, `davi${sellers}@tilinta.example`, "admin")
    await site.call("PATCH", `/api/v1/admin/withdrawals/${first._id}/reject`, { token, body: { adminNotes: "Não" } })
    nextDay()
    await run()
    expect(await amounts()).toEqual([50])
    expect(await rule()).toMatchObject({ pausedBecause: "failed" })
  })

  test("is not woken by suspended withdrawals, and splits what is above the largest Pix", async () => {
    await put({ above: 0 })
    await saveSetting(site.db, "WITHDRAWALS_ENABLED", false)
    nextDay()
    await run()
    await saveSetting(site.db, "WITHDRAWALS_ENABLED", true)
    await run()
    expect(await amounts()).toEqual([])
    await saveSetting(site.db, "MAX_PIX_PAYOUT", 60)
    for (let day = 0; day < 2; day += 1) {
      nextDay()
      await run()
    }
    await saveSetting(site.db, "MAX_PIX_PAYOUT", 0)
    expect(await amounts()).toEqual([40, 60])
  })
})

test("with strict protection it takes a step-up and waits for the hold, pausing takes neither, and a freeze pauses it", async () => {
  const plan = await openTwoAdmins()
  const seller = await plan.seller()
  await plan.requested(seller, 10, { paymentMethod: "pix", pixKey: "ana@loja.example" })
  const destinations = (await plan.act(seller, "GET", "/users/me/destinations")).json.data.destinations
  const body = { every: "day", above: 0, destinationId: destinations[0]?._id }
  await rewriteSessions(plan.db, { userId: seller.id }, { stepped_up_at: null })
  const bare = (wanted: object) =>
    plan.call("PUT", "/api/v1/users/me/withdrawal-rule", { token: seller.token, body: wanted })
  expect((await bare(body)).json.code).toBe("step_up_required")
  await saveSetting(plan.db, "NEW_DESTINATION_HOLD_HOURS", 720)
  expect((await plan.act(seller, "PUT", "/users/me/withdrawal-rule", body)).json.code).toBe("destination_not_proven")
  await saveSetting(plan.db, "NEW_DESTINATION_HOLD_HOURS", 0)
  expect((await plan.act(seller, "PUT", "/users/me/withdrawal-rule", body)).status).toBe(200)
  await rewriteSessions(plan.db, { userId: seller.id }, { stepped_up_at: null })
  expect((await bare({ ...body, paused: true })).json.data.rule.pausedBecause).toBe("by_owner")
  expect((await plan.act(seller, "PUT", "/users/me/withdrawal-rule", body)).json.data.rule.pausedBecause).toBe(null)
  const token = await plan.db.transaction().execute((tx) => issueNotMeLink(tx, seller.id, plan.clock.now()))
  await stopAccount(plan, { token, address: "198.51.100.7" })
  const rule = plan.db.selectFrom("withdrawal_rules").select("paused_because").where("seller_id", "=", seller.id)
  expect(await rule.executeTakeFirst()).toEqual({ paused_because: "frozen" })
  await plan.close()
})
