import { afterAll, expect, test } from "vitest"
import { ensurePspConnection, saveContact } from "#bank/psp-inbox/connection"
import { packBodies } from "#bank/psp-inbox/rules"
import { newId } from "#kit/ids"
import { checkLedgerAtNight } from "#overviews/ledger-checks/check"
import { recordRestoreCheck } from "#platform/backups/request"
import { enqueueMails } from "#platform/mails/notify-owner"
import { recordHeartbeat } from "#platform/system/node"
import product from "../../../../package.json" with { type: "json" }
import { newPerson } from "../../../test-support/admins.ts"
import { asOwner } from "../../../test-support/as-owner.ts"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const admin = await newPerson(site, "chefe@tilinta.example", "admin")
await ensurePspConnection(site, "simulator")

afterAll(() => site.close())

const base = "/api/v1/admin/system"
const read = async () => (await site.call("GET", base, { token: admin.token })).json.data
const act = (method: "PATCH" | "POST", path: string) => site.call(method, `${base}/${path}`, { token: admin.token })
const audits = async (action: string) =>
  (await site.db.selectFrom("audit_records").select(["action", "actor_id", "entity_id", "after"]).execute()).filter(
    (record) => record.action === action,
  )

async function insertMessage(attempts: number): Promise<string> {
  const later = new Date(site.clock.now().getTime() + 60_000)
  const moments = { received_at: site.clock.now(), next_attempt_at: later, processed_at: null }
  const oneBody = { body: packBodies([Buffer.from("[]")]), lengths: [2] }
  const { id } = await site.db
    .insertInto("psp_inbox")
    .values({ ...moments, ...oneBody, provider: "simulator", attempts, last_error: "no answer" })
    .returning("id")
    .executeTakeFirstOrThrow()
  return String(id)
}

test("probes, administrators and the API's reference show one version, the repository's own", async () => {
  const [health, openapi] = await Promise.all([site.call("GET", "/healthz"), site.call("GET", "/api/openapi.json")])
  expect(health.json).toEqual({ status: "ok", version: product.version })
  expect(openapi.json.info.version).toBe(product.version)
  expect((await read()).installation.version).toBe(product.version)
})

test("of several nodes' words about the provider the latest counts", async () => {
  const [early, late] = [new Date("2026-11-21T11:00:00Z"), new Date("2026-11-21T11:30:00Z")]
  const save = (changes: object) =>
    site.db.transaction().execute((tx) =>
      saveContact(tx, "simulator", {
        ...{ lastContactAt: null, lastFailure: null, lastWebhookAt: null, webhookRegisteredAt: null },
        ...changes,
      }),
    )
  await save({ lastContactAt: late, lastFailure: { at: late, call: "findReceipt", message: "cut off" } })
  await save({ lastContactAt: early, lastFailure: { at: early, call: "createCharge", message: "older" } })
  await save({ lastWebhookAt: early, webhookRegisteredAt: early })
  expect((await read()).provider).toEqual({
    name: "simulator",
    label: "Simulador (testes)",
    receiptsSeenUntil: "2026-11-20T12:00:00.000Z",
    lastContactAt: late.toISOString(),
    lastFailure: { at: late.toISOString(), call: "findReceipt", message: "cut off" },
    lastWebhookAt: early.toISOString(),
    webhookRegisteredAt: early.toISOString(),
    certificateEndsAt: null,
  })
})

test("a message that keeps failing is shown, and tried now: once, twice and two at once", async () => {
  const young = await insertMessage(1)
  const id = await insertMessage(4)
  expect((await read()).inbox).toMatchObject({
    waiting: 2,
    failing: [{ _id: id, attempts: 4, lastError: "no answer" }],
  })
  const replies = await Promise.all([1, 2].map(() => act("PATCH", `inbox-messages/${id}/retry`)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect((await act("PATCH", `inbox-messages/${id}/retry`)).status).toBe(200)
  expect((await read()).inbox.failing).toMatchObject([{ nextAttemptAt: site.clock.now().toISOString() }])
  expect(await audits("inbox_message.retried")).toMatchObject([{ actor_id: admin.id, entity_id: id }])
  await site.db
    .updateTable("psp_inbox")
    .set({ processed_at: site.clock.now() })
    .where("id", "in", [+id, +young])
    .execute()
  for (const gone of [id, "999999", "x", "1e3"]) {
    expect((await act("PATCH", `inbox-messages/${gone}/retry`)).json.code).toBe("inbox_message_not_found")
  }
})

async function insertMail(kind: "password_changed" | "reset_password", state: object): Promise<string> {
  const content =
    kind === "reset_password"
      ? ({ kind, token: "geheim", minutes: 30 } as const)
      : ({ kind, changedAt: "2026-11-21T12:00:00Z" } as const)
  const dedupeKey = newId()
  const mail = { userId: admin.id, dedupeKey, content }
  await site.db.transaction().execute((tx) => enqueueMails(tx, [mail], site.clock.now()))
  const later = new Date(site.clock.now().getTime() + 600_000)
  const { id } = await site.db
    .updateTable("mails")
    .set({ attempts: 3, last_error: "ECONNECTION", send_after: later, ...state })
    .where("dedupe_key", "=", dedupeKey)
    .returning("id")
    .executeTakeFirstOrThrow()
  return id
}

test("mails that wait or were given up are sent again; a link that is gone is not", async () => {
  const now = site.clock.now()
  const waiting = await insertMail("password_changed", {})
  const lost = await insertMail("password_changed", { given_up_at: now, give_up_at: now })
  const secret = await insertMail("reset_password", { given_up_at: now, content: '{"kind":"reset_password"}' })
  const { mails } = await read()
  expect(mails).toMatchObject({ waiting: 1, givenUp: 2 })
  expect(mails.problems).toHaveLength(3)
  expect(mails.problems[0]).toEqual({
    _id: waiting,
    kind: "password_changed",
    to: "ch•••@tilinta.example",
    createdAt: now.toISOString(),
    attempts: 3,
    lastError: "ECONNECTION",
    givenUpAt: null,
    repeatable: true,
  })
  expect(mails.problems).toContainEqual(expect.objectContaining({ _id: secret, repeatable: false }))

  for (const id of [waiting, lost]) {
    const replies = await Promise.all([1, 2].map(() => act("PATCH", `mails/${id}/retry`)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const row = await site.db.selectFrom("mails").selectAll().where("id", "=", id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ send_after: now, given_up_at: null })
    expect(row.give_up_at.getTime()).toBeGreaterThan(now.getTime())
  }
  expect((await audits("mail.retried")).map(({ entity_id }) => entity_id).sort()).toEqual([waiting, lost].sort())
  expect((await act("PATCH", `mails/${secret}/retry`)).json.code).toBe("mail_not_repeatable")
  await site.db.updateTable("mails").set({ sent_at: now }).where("id", "=", waiting).execute()
  for (const id of [waiting, newId(), "x"]) {
    expect((await act("PATCH", `mails/${id}/retry`)).json.code).toBe("mail_not_found")
  }
})

test("a job runs by hand, and the admin is recorded; one that is running or unknown is refused", async () => {
  expect((await act("POST", "jobs/tidy-up/run")).status).toBe(200)
  expect(site.wokenJobs).toEqual(["tidy-up"])
  expect(await audits("job.run")).toMatchObject([{ actor_id: admin.id, entity_id: "tidy-up" }])
  expect((await act("POST", "jobs/back-up/run")).json).toMatchObject({ code: "job_running" })
  for (const name of ["sell-everything", "toString"]) {
    expect(await act("POST", `jobs/${name}/run`)).toMatchObject({ status: 404, json: { code: "job_not_found" } })
  }
  expect(site.wokenJobs).toEqual(["tidy-up"])
  expect(await audits("job.run")).toHaveLength(1)
})

test("only nodes that were just there are shown, next to the database's size and level", async () => {
  const node = { host: "caixa-1", version: "0.1.0", startedAt: site.clock.now(), clockSkewSeconds: 75 }
  const see = (secondsAgo: number) => {
    const seenAt = new Date(site.clock.now().getTime() - secondsAgo * 1000)
    return site.db.transaction().execute((tx) => recordHeartbeat(tx, { id: newId(), ...node }, seenAt))
  }
  await see(120)
  await see(20)
  await see(0)
  const { installation } = await read()
  expect(installation.nodes).toHaveLength(2)
  expect(installation.nodes[0]).toMatchObject({
    host: "caixa-1",
    clockSkewSeconds: 75,
    startedAt: site.clock.now().toISOString(),
  })
  expect(installation.databaseBytes).toBeGreaterThan(1_000_000)
  expect(Number(installation.migration)).toBeGreaterThanOrEqual(1)
})

test("the books are checked one at a time, and what differs is named, measured and an alarm", async () => {
  expect((await read()).ledgerCheck).toMatchObject({ isRunning: false, startedAt: null, result: null })
  const replies = await Promise.all([1, 2, 3].map(() => act("POST", "ledger-checks")))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  await site.ledgerChecker.idle()
  const first = (await read()).ledgerCheck
  expect(first).toMatchObject({ isRunning: false, requestedBy: "Ana Souza", failure: null })
  expect(first.result).toMatchObject({ postings: expect.any(Number), differenceCount: 0, differences: [] })

  await asOwner(site.database, "update user_totals set count = count + 5 where role = 'admin' and active")
  expect((await act("POST", "ledger-checks")).status).toBe(201)
  await site.ledgerChecker.idle()
  expect((await read()).ledgerCheck.result).toMatchObject({
    differenceCount: 1,
    differences: [{ what: "total de usuários admin ativos", expected: "1", found: "6" }],
  })
  const { text } = await site.call("GET", "/metrics")
  expect(text).toMatch(/^ledger_differences 1$/m)
  expect(text).toMatch(/^reconciliation_lag_seconds 86400$/m)
  expect(await audits("ledger_check.requested")).toHaveLength(2)
  await asOwner(site.database, "update user_totals set count = count - 5 where role = 'admin' and active")
})

test("a backup is made by hand, recorded, shown and measured", async () => {
  expect((await read()).backup).toMatchObject({ isOn: true, isEncrypted: false, isRunning: false, result: null })
  expect((await act("POST", "backups")).status).toBe(201)
  await site.backupMaker.idle()
  const { backup } = await read()
  expect(backup).toMatchObject({ isRunning: false, requestedBy: "Ana Souza", failure: null, result: { bytes: 6 } })
  expect(await audits("backup.requested")).toHaveLength(1)
  site.clock.pass(60)
  expect((await site.call("GET", "/metrics")).text).toMatch(/^backup_age_seconds 60$/m)
})

test("the last try of a restore is shown, with who made it and its result", async () => {
  const file = "tilinta-2026-11-21T05-00-12-084Z.backup"
  const check = { checkedBy: "ana@caixa-1", file, takenAt: site.clock.now(), rowCount: 81_234, differenceCount: 0 }
  await recordRestoreCheck(site.db, { ...check, finishedAt: site.clock.now(), seconds: 14, error: null })
  const shown = { checkedBy: "ana@caixa-1", rows: 81_234, differenceCount: 0, failure: null }
  expect((await read()).backup.restoreCheck).toMatchObject(shown)
})

test("a check interrupted by a stopped server is shown as such, and the next one may begin", async () => {
  const lost = { id: newId(), finished_at: null, requested_by: null, error: null }
  site.clock.pass(1)
  await site.db
    .insertInto("ledger_checks")
    .values({ ...lost, started_at: site.clock.now(), posting_count: null, difference_count: null, differences: null })
    .execute()
  expect((await read()).ledgerCheck).toMatchObject({ isRunning: false, failure: "O servidor parou antes do fim." })
  site.clock.pass(1)
  expect((await act("POST", "ledger-checks")).status).toBe(201)
  await site.ledgerChecker.idle()
  expect((await read()).ledgerCheck).toMatchObject({ failure: null, result: { differenceCount: 0 } })
})

test("at night the books are checked once, by day never", async () => {
  const runs = async (iso: string) => {
    let started = 0
    const ledgerChecker = { ...site.ledgerChecker, start: async () => ++started > 0 }
    await checkLedgerAtNight({ db: site.db, clock: { now: () => new Date(iso) }, ledgerChecker })
    return started
  }
  expect([await runs("2026-11-22T05:59:00Z"), await runs("2026-11-22T08:00:00Z")]).toEqual([0, 0])
  expect(await runs("2026-11-22T06:10:00Z")).toBe(1)
  await asOwner(site.database, "update ledger_checks set started_at = '2026-11-22T06:10:00Z'")
  expect([await runs("2026-11-22T06:15:00Z"), await runs("2026-11-23T06:15:00Z")]).toEqual([0, 1])
})
