import { sql } from "kysely"
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest"
import { verifyLedger } from "#ledger/reads"
import { verifyWithdrawals } from "#money/withdrawals/operator-reads"
import { openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"
import { insertApiKey } from "../../test-support/insert-api-key.ts"
import { numberAllEvents } from "../../test-support/number-all-events.ts"
import { saveSetting } from "../../test-support/save-setting.ts"

let victim: Victim
let fresh: string

const plan = await openFraudPlan()
const admin = await plan.administrator()

beforeEach(async () => {
  plan.clock.pass(3 * 86_400)
  victim = await plan.victim()
  fresh = await plan.freshSessionOf(victim)
})

afterEach(async () => {
  expect(await plan.left()).toEqual([])
})

afterAll(async () => {
  expect(await verifyLedger(plan.db)).toEqual([])
  expect(await verifyWithdrawals(plan.db)).toEqual([])
  await plan.close()
})

const call = (method: "GET" | "POST" | "PATCH", path: string, body?: object, token = fresh) =>
  plan.call(method, `/api/v1/${path}`, { token, ...(body && { body }) })
const withdraw = (amount = 100, pixKey = "ladrao@loja.example", token = fresh) =>
  call("POST", "withdrawals", { amount, paymentMethod: "pix", pixKey }, token)

async function withdrawn(amount?: number, pixKey?: string) {
  const { status, json } = await withdraw(amount, pixKey)
  expect(status).toBe(201)
  return json.data.withdrawal
}

async function asAdmin(method: "POST" | "PATCH", path: string, body?: object) {
  return call(method, `admin/${path}`, body, await plan.freshSessionOf(admin, "admin"))
}
const approve = (id: string) => asAdmin("PATCH", `withdrawals/${id}/approve`, {})
const own = async (id: string) =>
  (await call("GET", "withdrawals", undefined, await plan.sessionOf(victim))).json.data.withdrawals.find(
    ({ _id }: { _id: string }) => _id === id,
  )
const hours = (count: number) => new Date(plan.clock.now().getTime() + count * 3_600_000).toISOString()

/** Time passes, and a session of the same person is fresh again. */
async function pass(count: number) {
  plan.clock.pass(count * 3_600)
  fresh = await plan.freshSessionOf(victim)
}

/** A destination that the victim has used for long. */
async function trust(pixKey: string) {
  const { _id } = await withdrawn(1, pixKey)
  await pass(25)
  expect((await approve(_id)).status).toBe(200)
  expect(await plan.left()).toEqual([`payout 1 to ${pixKey}`])
}

const newPlace = "Um destino novo para os seus saques"
const frozen = "Os saques da sua conta estão congelados"

describe("a new destination", () => {
  test("waits a day: nobody approves it, nothing leaves, and the owner hears of it with a way to stop it", async () => {
    const asked = await withdrawn()
    expect(asked).toMatchObject({ status: "pending", heldUntil: hours(24), holdReasons: ["new_destination"] })
    const refused = await approve(asked._id)
    expect(refused).toMatchObject({ status: 409, json: { code: "withdrawal_held" } })
    const many = await asAdmin("POST", "withdrawals/approve", { ids: [asked._id] })
    expect(many.json.data.approvals).toMatchObject([{ code: "withdrawal_held" }])
    expect(await plan.left()).toEqual([])
    await plan.expectTold(victim, newPlace, { says: ["/not-me/", "Endereço IP: 127.0.0.1"] })
    await plan.press(await plan.notMePath(victim))
    await plan.expectTold(victim, frozen)
    await pass(25)
    expect((await approve(asked._id)).json.code).toBe("withdrawal_not_pending")
    expect(await plan.left()).toEqual([])
  })

  test("is told to administrators with the reason, and integrators get an event", async () => {
    const asked = await withdrawn()
    await plan.expectTold(admin, "Saque solicitado: R$ 100,00", { notice: "Saque em espera: R$ 100,00" })
    const { json } = await call(
      "GET",
      `admin/withdrawals/${asked._id}`,
      undefined,
      await plan.sessionOf(admin, "admin"),
    )
    expect(json.data.withdrawal).toMatchObject({ holdReasons: ["new_destination"], owner: "unknown" })
    await numberAllEvents(plan.db)
    const { events } = (await call("GET", "events")).json.data
    expect(events.map(({ type }: { type: string }) => type)).toEqual(["withdrawal.requested", "withdrawal.held"])
    expect(events[1].data.withdrawal).toEqual(asked)
    const notices = await call("GET", "users/me/notices")
    expect(JSON.stringify(notices.json.data)).toContain("Saque em espera")
  })

  test("can be paid once the wait is over, and waits no more afterwards", async () => {
    await trust("ana@loja.example")
    const second = await withdrawn(10, "ana@loja.example")
    expect(second).toMatchObject({ heldUntil: null, holdReasons: [] })
    expect((await approve(second._id)).status).toBe(200)
    await plan.expectListed(victim, "Saque aprovado: R$ 10,00")
    expect(await plan.left()).toEqual(["payout 10 to ana@loja.example"])
    await plan.expectTold(victim, "Saque pago: R$ 10,00")
  })

  test("isn't made old by a small request: cancelled by the owner's word, it is new again", async () => {
    await withdrawn(1)
    await plan.press(await plan.notMePath(victim))
    expect((await asAdmin("PATCH", `users/${victim.id}/unfreeze`)).status).toBe(200)
    await pass(80)
    expect(await withdrawn(900)).toMatchObject({ heldUntil: hours(24), holdReasons: ["new_destination"] })
    await plan.expectTold(victim, newPlace)
  })

  test("isn't hidden by editing the profile's key back and forth, nor by another way to write it", async () => {
    await trust("ana@loja.example")
    for (const pixKey of ["ladrao@loja.example", "ana@loja.example", "ladrao@loja.example"]) {
      expect((await call("PATCH", "users/updateMe", { bankAccount: { pixKey } })).status).toBe(200)
    }
    expect(await withdrawn(10, "Ladrao@Loja.example ")).toMatchObject({ holdReasons: ["new_destination"] })
    const again = await withdrawn(10, "ladrao@loja.example")
    expect(again.heldUntil).toBe(hours(24))
    await plan.expectTold(victim, "Seus dados de recebimento foram alterados", { says: ["/not-me/"] })
    await plan.expectTold(victim, newPlace)
  })

  test("that is edited after the approval changes nothing of what was approved", async () => {
    const asked = await withdrawn(50, "ana@loja.example")
    await pass(25)
    await approve(asked._id)
    await call("PATCH", "users/updateMe", { bankAccount: { pixKey: "ladrao@loja.example" } })
    expect(await plan.left()).toEqual(["payout 50 to ana@loja.example"])
    await plan.expectTold(victim, "Seus dados de recebimento foram alterados")
    await plan.expectTold(victim, "Saque aprovado: R$ 50,00", { notice: "Saque pago: R$ 50,00" })
  })

  test("isn't freed by money that comes and goes, or by cancelling and asking again", async () => {
    const first = await withdrawn(500)
    expect((await call("PATCH", `withdrawals/${first._id}/cancel`)).status).toBe(200)
    const second = await withdrawn(500)
    expect(second).toMatchObject({ heldUntil: first.heldUntil, holdReasons: ["new_destination"] })
    expect((await approve(second._id)).json.code).toBe("withdrawal_held")
    await plan.expectTold(victim, newPlace)
  })

  test("by bank transfer waits as well, and can't be marked as paid before", async () => {
    const bankData = { bank: "001", agency: "1", account: "2", accountType: "corrente" }
    const { json } = await call("POST", "withdrawals", { amount: 10, paymentMethod: "bank_transfer", bankData })
    const { _id, holdReasons } = json.data.withdrawal
    expect(holdReasons).toEqual(["new_destination"])
    await plan.expectTold(victim, newPlace)
    expect((await approve(_id)).json.code).toBe("withdrawal_held")
    await pass(25)
    expect((await approve(_id)).status).toBe(200)
    await plan.press(await plan.notMePath(victim))
    expect((await asAdmin("PATCH", `withdrawals/${_id}/complete`, {})).json.code).toBe("withdrawals_frozen")
    expect((await asAdmin("PATCH", `withdrawals/${_id}/return`, { reason: "Titular avisou" })).status).toBe(200)
  })
})

describe("a stolen session", () => {
  test("that isn't confirmed asks in vain, and one with the password only starts the wait", async () => {
    expect((await withdraw(100, "ladrao@loja.example", victim.token)).json.code).toBe("step_up_required")
    expect((await withdraw(100)).json.data.withdrawal.holdReasons).toEqual(["new_destination"])
    await plan.expectTold(victim, newPlace)
  })

  test("sees the places that its owner uses, and what a new one waits for", async () => {
    await trust("ana@loja.example")
    const { json } = await call("GET", "users/me/destinations")
    expect(json.data).toMatchObject({
      newDestinationHours: 24,
      heldUntil: null,
      frozenAt: null,
      destinations: [{ pixKey: "ana@loja.example", confirmedBy: "password", heldUntil: null }],
    })
  })

  test("of a program can't reach a new place at all, nor anything while the account is frozen", async () => {
    await trust("ana@loja.example")
    const { key } = await insertApiKey(plan.db, victim.id)
    expect((await withdraw(10, "ladrao@loja.example", key)).json.code).toBe("withdrawal_destination_unproven")
    expect((await withdraw(10, "ana@loja.example", key)).status).toBe(201)
    await plan.press(await plan.notMePath(victim))
    await plan.expectTold(victim, frozen)
    for (const refused of [
      await withdraw(10, "ana@loja.example", key),
      await call("GET", "withdrawals", undefined, key),
      await call("POST", "users/me/webhooks", { url: "https://ladrao.example" }, key),
    ]) {
      expect(refused).toMatchObject({ status: 403, json: { code: "api_key_frozen" } })
    }
    expect((await asAdmin("PATCH", `users/${victim.id}/unfreeze`)).status).toBe(200)
    expect((await call("GET", "withdrawals", undefined, key)).status).toBe(200)
  })

  test("while the account is frozen makes no key that would outlive the freeze", async () => {
    await plan.press(await plan.newNotMePath(victim))
    await plan.expectTold(victim, frozen)
    fresh = await plan.freshSessionOf(victim)
    const input = { name: "Loja", scopes: ["withdrawals:read"], expiresAt: null }
    expect((await call("POST", "users/me/api-keys", input)).json.code).toBe("account_frozen")
  })
})

describe("the holder of a key", () => {
  test("of another CPF or CNPJ is refused, and one's own CPF is known to be", async () => {
    for (const pixKey of ["111.444.777-35", "11444777000161"]) {
      const { status, json } = await withdraw(10, pixKey)
      expect({ status, code: json.code }).toEqual({ status: 422, code: "pix_key_not_yours" })
    }
    const { _id } = await withdrawn(10, "529.982.247-25")
    await plan.expectTold(victim, newPlace)
    const { json } = await call("GET", `admin/withdrawals/${_id}`, undefined, await plan.sessionOf(admin, "admin"))
    expect(json.data.withdrawal.owner).toBe("own")
  })

  test("can't be hidden behind eleven digits that are a CPF and a phone", async () => {
    const { status } = await withdraw(10, "11980000077")
    expect(status).toBe(422)
    expect(await plan.mailsTo(victim)).toEqual([])
  })
})

describe("after a recovery", () => {
  const reset = async () => {
    await plan.call("POST", "/api/v1/auth/forgotPassword", { body: { email: victim.email } })
    const token = /reset-password\/([\w-]{43})/.exec((await plan.mailsTo(victim))[0]?.text ?? "")?.[1] ?? ""
    const body = { password: "outra-senha-boa", passwordConfirm: "outra-senha-boa" }
    expect((await plan.call("PATCH", `/api/v1/auth/resetPassword/${token}`, { body })).status).toBe(200)
    fresh = await plan.freshSessionOf(victim)
  }

  test("a withdrawal to a known place waits three days, whichever came first", async () => {
    await trust("ana@loja.example")
    const before = await withdrawn(10, "ana@loja.example")
    const approved = await withdrawn(20, "ana@loja.example")
    await approve(approved._id)
    await reset()
    const after = await withdrawn(30, "ana@loja.example")
    for (const { _id } of [before, approved, after]) {
      expect(await own(_id)).toMatchObject({ heldUntil: hours(72), holdReasons: ["recovery"] })
    }
    expect((await approve(before._id)).json.code).toBe("withdrawal_held")
    expect(await plan.left()).toEqual([])
    await plan.expectTold(victim, "Sua senha foi alterada", { says: ["/not-me/"] })
    await plan.expectTold(victim, "Saque em espera: R$ 20,00")
    await pass(73)
    expect(await plan.left()).toEqual(["payout 20 to ana@loja.example"])
  })

  test("what a worker has taken and not sent waits, too, and leaves once when the wait is over", async () => {
    await trust("ana@loja.example")
    const { _id } = await withdrawn(20, "ana@loja.example")
    await approve(_id)
    plan.whileAsking(reset)
    await plan.sendPayouts()
    expect(plan.sent).toEqual([])
    expect(await own(_id)).toMatchObject({ heldUntil: hours(72), holdReasons: ["recovery"] })
    await pass(71)
    await plan.settlePayouts()
    expect(plan.sent).toEqual([])
    await pass(2)
    for (const _ of ["once", "twice"]) await plan.settlePayouts()
    expect(await plan.left()).toEqual(["payout 20 to ana@loja.example"])
  })

  test("what the bank is just taking is left as it is", async () => {
    await trust("ana@loja.example")
    const { _id } = await withdrawn(20, "ana@loja.example")
    await approve(_id)
    plan.whileSending(reset)
    expect(await plan.left()).toEqual(["payout 20 to ana@loja.example"])
    expect(await own(_id)).toMatchObject({ heldUntil: null, holdReasons: [] })
  })

  test("a second recovery makes a wait longer and gives no second reason", async () => {
    await trust("ana@loja.example")
    const { _id } = await withdrawn(20, "ana@loja.example")
    await approve(_id)
    plan.whileAsking(reset)
    await plan.sendPayouts()
    await pass(24)
    await reset()
    expect(await own(_id)).toMatchObject({ heldUntil: hours(72), holdReasons: ["recovery"] })
    await pass(50)
    await plan.settlePayouts()
    expect(plan.sent).toEqual([])
    expect((await toldAdmins(_id)).length).toBe(2)
    await pass(23)
    await plan.settlePayouts()
    expect(await plan.left()).toEqual(["payout 20 to ana@loja.example"])
  })

  test("raced with the job that sends, each payout is sent or held, and all are sent once in the end", async () => {
    await trust("ana@loja.example")
    const ids: string[] = []
    for (const amount of [10, 20, 30, 40]) ids.push((await withdrawn(amount, "ana@loja.example"))._id)
    for (const id of ids) await approve(id)
    const recovery = asAdmin("PATCH", `users/${victim.id}`, { name: "Outro Nome" })
    await Promise.all([plan.sendPayouts(), recovery, plan.sendPayouts()])
    const states = await Promise.all(ids.map(own))
    expect(states.filter(({ heldUntil }) => heldUntil === null)).toHaveLength(plan.sent.length)
    plan.clock.pass(60)
    await plan.settlePayouts()
    expect(states.filter(({ heldUntil }) => heldUntil === null)).toHaveLength(plan.sent.length)
    await pass(73)
    await Promise.all([plan.sendPayouts(), plan.settlePayouts()])
    await plan.settlePayouts()
    expect(await plan.left()).toEqual([10, 20, 30, 40].map((amount) => `payout ${amount} to ana@loja.example`))
  })

  test("by an administrator who changes the e-mail it waits, too, and the old address is told", async () => {
    await trust("ana@loja.example")
    const asked = await withdrawn(10, "ana@loja.example")
    const email = `mau-${victim.email}`
    expect((await asAdmin("PATCH", `users/${victim.id}`, { email })).status).toBe(200)
    expect(await own(asked._id)).toMatchObject({ heldUntil: hours(72), holdReasons: ["recovery"] })
    expect((await approve(asked._id)).json.code).toBe("withdrawal_held")
    await plan.expectTold(victim, "Pediram a troca do e-mail da sua conta", { says: ["/not-me/"] })
    await plan.expectTold(victim, "Saque em espera: R$ 10,00")
  })

  test("raced with a request nothing slips through", async () => {
    await trust("ana@loja.example")
    const name = { name: "Outro Nome" }
    await Promise.all([
      withdraw(10, "ana@loja.example"),
      withdraw(11, "ana@loja.example"),
      asAdmin("PATCH", `users/${victim.id}`, name),
      withdraw(12, "ana@loja.example"),
    ])
    await plan.expectTold(victim, "Um administrador alterou a sua conta")
    const pending = plan.db.selectFrom("withdrawals").select("hold_reasons").where("seller_id", "=", victim.id)
    const rows = await pending.where("status", "=", "pending").execute()
    expect(rows.map(({ hold_reasons }) => hold_reasons)).toEqual([["recovery"], ["recovery"], ["recovery"]])
  })
})

/** Notices of administrators about one withdrawal. */
async function toldAdmins(withdrawalId: string) {
  const notices = plan.db.selectFrom("notices").select("id").where("user_id", "=", admin.id)
  return notices.where(sql<boolean>`content ->> 'withdrawalId' = ${withdrawalId}`).execute()
}

describe("administrators hear of what is held", () => {
  const mails = async () => {
    const told = plan.db.selectFrom("mails").select(sql<string>`content ->> 'subject'`.as("subject"))
    const rows = await told.where("user_id", "=", admin.id).where("created_at", "=", plan.clock.now()).execute()
    return rows.map(({ subject }) => subject).filter((subject) => subject !== null)
  }

  test("by its own mail where they get none of each request", async () => {
    await withdrawn(11)
    expect(await mails()).not.toContain("Saque em espera: R$ 11,00")
    await saveSetting(plan.db, "NOTIFY_ADMIN_ON_WITHDRAWAL", false)
    const { _id } = await withdrawn(12)
    expect((await toldAdmins(_id)).length).toBe(1)
    expect(await mails()).toContain("Saque em espera: R$ 12,00")
    await saveSetting(plan.db, "NOTIFY_ADMIN_ON_WITHDRAWAL", true)
  })

  test("also after a recovery", async () => {
    await trust("ana@loja.example")
    const { _id } = await withdrawn(13, "ana@loja.example")
    expect(await toldAdmins(_id)).toEqual([])
    expect((await asAdmin("PATCH", `users/${victim.id}`, { name: "Outro Nome" })).status).toBe(200)
    expect((await toldAdmins(_id)).length).toBe(1)
  })
})

describe("the daily limit", () => {
  /** Administrators hear of a limit once a day. */
  const toldOfLimits = async () => {
    const now = plan.clock.now()
    const subject = sql<string>`content ->> 'subject'`
    const mails = plan.db.selectFrom("mails").select(subject.as("subject")).where("user_id", "=", admin.id)
    const today = mails.where("created_at", ">=", new Date(now.getTime() - 60_000))
    const found = await today.where(subject, "like", "Limite diário de saques atingido%").execute()
    return found.map((mail) => mail.subject)
  }

  test("holds what is beyond it, also of many small ones at once, each for a day of its own", async () => {
    await trust("ana@loja.example")
    await pass(30)
    await saveSetting(plan.db, "DAILY_WITHDRAWAL_LIMIT", 100)
    const answers = await Promise.all(Array.from({ length: 15 }, () => withdraw(20, "ana@loja.example")))
    const untils = answers.map(({ json }) => json.data.withdrawal.heldUntil as string | null)
    expect(untils.filter((until) => until === null)).toHaveLength(5)
    expect(untils.filter((until) => until === hours(24))).toHaveLength(5)
    expect(untils.filter((until) => until === hours(48))).toHaveLength(5)
    expect(answers.flatMap(({ json }) => json.data.withdrawal.holdReasons)).toContain("daily_limit")
    expect(await toldOfLimits()).toHaveLength(1)
    await saveSetting(plan.db, "DAILY_WITHDRAWAL_LIMIT", 0)
  })

  test("of the platform holds what is beyond it, whoever asks", async () => {
    await trust("ana@loja.example")
    await saveSetting(plan.db, "PLATFORM_DAILY_LIMIT", 500)
    const answers = await Promise.all(Array.from({ length: 4 }, () => withdraw(200, "ana@loja.example")))
    await saveSetting(plan.db, "PLATFORM_DAILY_LIMIT", 0)
    const reasons = answers.map(({ json: answer }) => answer.data.withdrawal.holdReasons)
    expect(reasons.toSorted()).toEqual([[], [], ["platform_limit"], ["platform_limit"]])
    expect(await toldOfLimits()).toEqual(["Limite diário de saques atingido: toda a plataforma"])
  })

  test("of the platform lays what waits into days, each with its own limit", async () => {
    await trust("ana@loja.example")
    await saveSetting(plan.db, "PLATFORM_DAILY_LIMIT", 310)
    const known = await Promise.all([1, 2, 3, 4].map(() => withdraw(150, "ana@loja.example")))
    const unknown = await withdrawn(100)
    await saveSetting(plan.db, "PLATFORM_DAILY_LIMIT", 0)
    const untils = known.map(({ json }) => json.data.withdrawal.heldUntil).toSorted()
    expect(untils).toEqual([hours(24), hours(24), null, null])
    expect(unknown).toMatchObject({ heldUntil: hours(48), holdReasons: ["new_destination", "platform_limit"] })
  })
})
