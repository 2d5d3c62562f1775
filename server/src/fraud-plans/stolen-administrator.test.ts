import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { verifyLedger } from "#ledger/reads"
import { bookPayments } from "#money/payments/book"
import { verifyWithdrawals } from "#money/withdrawals/operator-reads"
import { asOwner } from "../../test-support/as-owner.ts"
import { type Administrator, openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"
import { receiptOf } from "../../test-support/sandbox.ts"
import { sellerForm } from "../../test-support/test-app.ts"

const log = createLog("silent")

let victim: Victim

const plan = await openFraudPlan()
const stolen = await plan.administrator()
const honest = await plan.administrator()

beforeEach(async () => {
  await plan.db.deleteFrom("second_approvals").execute()
  plan.clock.pass(9 * 86_400)
  victim = await plan.victim()
})

afterEach(async () => {
  expect(await plan.left()).toEqual([])
})

afterAll(async () => {
  expect(await verifyLedger(plan.db)).toEqual([])
  expect(await verifyWithdrawals(plan.db)).toEqual([])
  await plan.close()
})

type Method = "GET" | "POST" | "PATCH" | "DELETE"
const call = (method: Method, path: string, body?: object, token?: string) =>
  plan.call(method, `/api/v1/${path}`, { ...(token !== undefined && { token }), ...(body && { body }) })

/** By a session of their own that was just confirmed: calls at once are calls of two sessions. */
async function by(admin: Administrator, method: Method, path: string, body?: object) {
  return call(method, path, body, await plan.freshSessionOf(admin, "admin"))
}
const thief = (method: Method, path: string, body?: object) => by(stolen, method, path, body)
const atOnce = (method: Method, path: string, body?: object) =>
  Promise.all([thief(method, path, body), thief(method, path, body), thief(method, path, body)])

const waits = { status: 200, json: { data: { pending: true } } }
const codes = (replies: Awaited<ReturnType<typeof atOnce>>) =>
  replies.map(({ json }) => (json.data?.pending === true ? "waits" : json.code)).toSorted()
const oneWaits = ["second_approver_needed", "second_approver_needed", "waits"]

async function userOf(id: string) {
  const row = plan.db.selectFrom("users").select(["email", "role", "active"]).where("id", "=", id)
  return row.executeTakeFirstOrThrow()
}

/** Mails to an address that is due at once: no time passes here, so it is there within seconds. */
const subjects = async (person: Pick<Victim, "email">) =>
  (await plan.mailsTo(person as Victim)).map(({ subject }) => subject)
const linkOf = async (email: string, pattern: RegExp) => {
  const texts = (await plan.mailsTo({ email } as Victim)).map(({ text }) => text).join("\n")
  return pattern.exec(texts)?.[1]
}
const resetLink = (email: string) => linkOf(email, /reset-password\/([\w-]{43})/)
const forgot = (email: string) => call("POST", "auth/forgotPassword", { email })

describe("a seller's e-mail, then a new password, a withdrawal and its approval", () => {
  test("alone the thief changes nothing: no link goes to the new address, and the other administrator hears of it", async () => {
    const email = `ladrao-${victim.email}`
    expect(codes(await atOnce("PATCH", `admin/users/${victim.id}`, { email }))).toEqual(oneWaits)
    expect((await userOf(victim.id)).email).toBe(victim.email)
    await forgot(email)
    expect(await subjects({ email })).toEqual([])
    await plan.expectTold(honest, "Espera a sua aprovação: alterar usuário")
  })

  test("with a tricked colleague the owner still stops it from the old address, and the link is dead", async () => {
    const email = `ladrao-${victim.email}`
    for (const admin of [stolen, honest]) await by(admin, "PATCH", `admin/users/${victim.id}`, { email })
    expect((await userOf(victim.id)).email).toBe(victim.email)
    await plan.expectTold(victim, "Pediram a troca do e-mail da sua conta", { says: ["/not-me/"] })
    const token = await linkOf(email, /\/([\w-]{43})\s/)
    await plan.press(await plan.notMePath(victim))
    expect(token).toBeDefined()
    expect((await call("POST", `auth/newEmail/${token}`)).json.code).toBe("email_link_invalid")
    expect((await userOf(victim.id)).email).toBe(victim.email)
  })

  test("with the link used and a new password the withdrawal waits three days, and the old address stops it", async () => {
    const email = `ladrao-${victim.email}`
    for (const admin of [stolen, honest]) await by(admin, "PATCH", `admin/users/${victim.id}`, { email })
    const token = await linkOf(email, /\/([\w-]{43})\s/)
    expect((await call("POST", `auth/newEmail/${token}`)).status).toBe(200)
    expect((await userOf(victim.id)).email).toBe(email)
    await plan.expectTold(victim, "O e-mail da sua conta foi alterado", { says: ["/not-me/"] })
    await forgot(email)
    const password = "a senha nova do ladrao 9"
    const body = { password, passwordConfirm: password }
    expect((await call("PATCH", `auth/resetPassword/${await resetLink(email)}`, body)).status).toBe(200)
    const { token: session } = (await call("POST", "auth/login", { email, password })).json
    expect((await call("POST", "auth/step-up", { password }, session)).status).toBe(200)
    const input = { amount: 1_000, paymentMethod: "pix", pixKey: "ladrao@loja.example" }
    const { withdrawal } = (await call("POST", "withdrawals", input, session)).json.data
    expect(withdrawal.holdReasons).toEqual(["new_destination", "recovery"])
    expect((await thief("PATCH", `admin/withdrawals/${withdrawal._id}/approve`)).json.code).toBe("withdrawal_held")
    await plan.press(await plan.notMePath(victim))
    plan.clock.pass(80 * 3_600)
    expect((await thief("PATCH", `admin/withdrawals/${withdrawal._id}/approve`)).json.code).toBe(
      "withdrawal_not_pending",
    )
    expect(await plan.left()).toEqual([])
    expect(codes(await atOnce("PATCH", `admin/users/${victim.id}/unfreeze`))).toEqual(oneWaits)
    await plan.expectTold(honest, "Espera a sua aprovação: descongelar conta")
  })
})

describe("administrators", () => {
  test("are made by nobody alone: not as new users, not by a promotion, not from three sessions at once", async () => {
    const input = { name: "Comparsa", email: `comparsa-${victim.email}`, role: "admin", active: true }
    expect(codes(await atOnce("POST", "admin/users", input))).toEqual(oneWaits)
    expect(await subjects(input)).toEqual([])
    expect((await forgot(input.email)).status).toBe(200)
    expect(await subjects(input)).toEqual([])
    expect(codes(await atOnce("PATCH", `admin/users/${victim.id}`, { role: "admin" }))).toEqual(oneWaits)
    expect((await userOf(victim.id)).role).toBe("user")
    await plan.expectTold(honest, "Espera a sua aprovação: cadastrar administrador")
    await plan.expectTold(honest, "Espera a sua aprovação: alterar usuário")
  })

  test("lose their role or access by nobody's word alone, so that the thief never stands alone", async () => {
    const path = `admin/users/${honest.id}`
    expect(codes(await atOnce("PATCH", path, { role: "user" }))).toEqual(oneWaits)
    expect(codes(await atOnce("DELETE", path))).toEqual(Array(3).fill("admin_not_inactivated"))
    expect(codes(await atOnce("PATCH", path, { active: false }))).toEqual(Array(3).fill("admin_not_inactivated"))
    expect(codes(await atOnce("PATCH", path, { role: "user", active: false }))).toEqual(
      Array(3).fill("admin_not_inactivated"),
    )
    expect(await userOf(honest.id)).toMatchObject({ role: "admin", active: true })
    await plan.expectTold(honest, "Espera a sua aprovação: alterar usuário")
    const id = await asked(6_000)
    expect((await thief("PATCH", `admin/withdrawals/${id}/approve`)).json.data.withdrawal.status).toBe("pending")
    await plan.expectTold(honest, "Espera a sua aprovação: aprovar saque")
  })

  test("who demote each other at once: neither is demoted by one word", async () => {
    const replies = await Promise.all([
      thief("PATCH", `admin/users/${honest.id}`, { role: "user" }),
      by(honest, "PATCH", `admin/users/${stolen.id}`, { role: "user" }),
    ])
    for (const reply of replies) expect(reply).toMatchObject(waits)
    await plan.expectTold(honest, "Espera a sua aprovação: alterar usuário")
    expect((await userOf(honest.id)).role).toBe("admin")
    expect((await userOf(stolen.id)).role).toBe("admin")
  })

  test("reactivate no accomplice alone, who was inactivated for good reasons", async () => {
    await by(honest, "DELETE", `admin/users/${victim.id}`)
    expect(codes(await atOnce("PATCH", `admin/users/${victim.id}`, { active: true }))).toEqual(oneWaits)
    await plan.expectTold(honest, "Espera a sua aprovação: alterar usuário")
    const login = { email: victim.email, password: sellerForm.password }
    expect((await call("POST", "auth/login", login)).json.code).toBe("account_disabled")
    expect((await userOf(victim.id)).active).toBe(false)
  })
})

describe("settings", () => {
  const guarded: [string, string | number | boolean, string][] = [
    ["TRANSACTION_FEE_PERCENTAGE", 0, "fees"],
    ["SECOND_APPROVAL_ABOVE", 0, "general"],
    ["NEW_DESTINATION_HOLD_HOURS", 0, "general"],
    ["RECOVERY_HOLD_HOURS", 0, "general"],
    ["DAILY_WITHDRAWAL_LIMIT", 9_999, "general"],
    ["PLATFORM_DAILY_LIMIT", 9_999, "general"],
    ["MAIL_FROM", "ladrao@correio.example", "general"],
    ["SUPPORT_EMAIL", "ladrao@correio.example", "general"],
    ["ADDRESS_DAYS", 30, "general"],
    ["PAYER_DATA_DAYS", 1, "general"],
    ["CUSTOMER_DATA_DAYS", 30, "general"],
    ["WEBHOOK_BODY_DAYS", 1, "general"],
    ["EVENT_RETENTION_DAYS", 7, "general"],
    ["MIN_WITHDRAWAL_AMOUNT", 1_000_000, "fees"],
    ["PIX_EXPIRATION_MINUTES", 5, "api"],
    ["PLATFORM_NAME", "Banco Falso", "general"],
    ["LEGAL_NAME", "Outra Empresa Ltda.", "general"],
    ["LEGAL_CNPJ", "11222333000181", "general"],
    ["PRIVACY_CONTACT", "ladrao@correio.example", "general"],
    ["TERMS_TEXT", "O saldo é nosso.", "general"],
    ["PRIVACY_TEXT", "Vendemos os seus dados.", "general"],
    ["NOTIFY_SELLER_ON_PAYMENT", false, "notifications"],
    ["NOTIFY_ADMIN_ON_WITHDRAWAL", false, "notifications"],
  ]
  const stored = async () => (await by(honest, "GET", "settings")).json.data.settings

  test.each(guarded)(
    "%s stays, whether it is created, changed or initialised, from three sessions",
    async (key, value, category) => {
      await asOwner(plan.database, `delete from settings where key = '${key}'`)
      const type = typeof value
      const input = { key: key.toLowerCase(), value, type, category, description: "" }
      expect(codes(await atOnce("POST", "settings", input))).toEqual(oneWaits)
      await atOnce("POST", "settings/initialize")
      const before = await stored()
      expect(before.find((each: { key: string }) => each.key === key).value).not.toBe(value)
      expect(codes(await atOnce("PATCH", `settings/${key.toLowerCase()}`, { value }))).toEqual(oneWaits)
      expect(await stored()).toEqual(before)
      await plan.expectTold(honest, "Espera a sua aprovação: criar configuração")
      await plan.expectTold(honest, "Espera a sua aprovação: alterar configuração")
    },
  )

  test.each(["RESERVE_PERCENT", "RESERVE_DAYS", "SETTLEMENT_DAYS"])(
    "%s is raised by one as far as 30 and lowered by two, so that no accomplice is paid before the disputes come",
    async (key) => {
      await thief("POST", "settings/initialize")
      const path = `settings/${key}`
      expect((await by(honest, "PATCH", path, { value: 30 })).json.data.setting.value).toBe(30)
      expect(codes(await atOnce("PATCH", path, { value: 31 }))).toEqual(oneWaits)
      expect((await by(honest, "PATCH", path, { value: 31 })).json.data.setting.value).toBe(31)
      expect(codes(await atOnce("PATCH", path, { value: 0 }))).toEqual(oneWaits)
      expect((await by(honest, "PATCH", path, { value: 0 })).json.data.setting.value).toBe(0)
      expect((await by(honest, "PATCH", path, { value: 20 })).json.data.setting.value).toBe(20)
      expect(codes(await atOnce("PATCH", path, { value: 19 }))).toEqual(oneWaits)
      expect(codes(await atOnce("PATCH", path, { value: 0 }))).toEqual(oneWaits)
      expect((await stored()).find((each: { key: string }) => each.key === key).value).toBe(20)
      expect((await by(honest, "PATCH", path, { value: 0 })).json.data.setting.value).toBe(0)
    },
  )

  test("MIN_WITHDRAWAL_AMOUNT is raised by two and lowered by one", async () => {
    await thief("POST", "settings/initialize")
    const path = "settings/MIN_WITHDRAWAL_AMOUNT"
    expect(codes(await atOnce("PATCH", path, { value: 5 }))).toEqual(oneWaits)
    expect((await by(honest, "PATCH", path, { value: 5 })).json.data.setting.value).toBe(5)
    expect((await thief("PATCH", path, { value: 0.01 })).json.data.setting.value).toBe(0.01)
  })

  test("MAX_PIX_PAYOUT is lowered by two and raised by one, also to 0, which is no limit", async () => {
    await thief("POST", "settings/initialize")
    const path = "settings/MAX_PIX_PAYOUT"
    for (const value of [0.01, 1_000_000]) expect(codes(await atOnce("PATCH", path, { value }))).toEqual(oneWaits)
    expect((await by(honest, "PATCH", path, { value: 1_000_000 })).json.data.setting.value).toBe(1_000_000)
    expect(codes(await atOnce("PATCH", path, { value: 0.01 }))).toEqual(oneWaits)
    for (const value of [1_000_001, 0]) {
      expect((await thief("PATCH", path, { value })).json.data.setting.value).toBe(value)
    }
  })

  test("of keeping are lengthened by one person, also for ever, which is then the longest", async () => {
    await thief("POST", "settings/initialize")
    for (const value of [365, 0]) {
      const { json } = await thief("PATCH", "settings/ADDRESS_DAYS", { value })
      expect(json.data.setting.value).toBe(value)
    }
    expect(codes(await atOnce("PATCH", "settings/ADDRESS_DAYS", { value: 3650 }))).toEqual(oneWaits)
    expect((await by(honest, "PATCH", "settings/ADDRESS_DAYS", { value: 3650 })).json.data.setting.value).toBe(3650)
  })

  test("by which a person stopped withdrawals isn't taken back by another alone", async () => {
    await thief("POST", "settings/initialize")
    expect((await by(honest, "PATCH", "settings/WITHDRAWALS_ENABLED", { value: false })).json.data.pending).toBe(
      undefined,
    )
    expect(codes(await atOnce("PATCH", "settings/WITHDRAWALS_ENABLED", { value: true }))).toEqual(oneWaits)
    await plan.expectTold(honest, "Espera a sua aprovação: alterar configuração")
    const refused = await call("POST", "withdrawals", ownWithdrawal(10), await plan.freshSessionOf(victim))
    expect(refused.json.code).toBe("withdrawals_disabled")
    const agreed = await by(honest, "PATCH", "settings/WITHDRAWALS_ENABLED", { value: true })
    expect(agreed.json.data.setting.value).toBe(true)
  })
})

const ownWithdrawal = (amount: number, pixKey = "ana@loja.example") => ({ amount, paymentMethod: "pix", pixKey })

/** A withdrawal whose waits are over. */
async function asked(amount: number, options: { person?: Victim; pixKey?: string } = {}): Promise<string> {
  const { person = victim } = options
  const { pixKey = `${person.id}@loja.example` } = options
  await plan.give(person, amount * 100)
  const { json } = await call("POST", "withdrawals", ownWithdrawal(amount, pixKey), await plan.freshSessionOf(person))
  plan.clock.pass(25 * 3_600)
  return json.data.withdrawal._id
}

describe("withdrawals in parts below the threshold", () => {
  const approve = async (id: string) => {
    const { json } = await thief("PATCH", `admin/withdrawals/${id}/approve`)
    return json.data?.withdrawal.status ?? json.code
  }
  const statuses = async (ids: string[]) =>
    (await plan.db.selectFrom("withdrawals").select("status").where("id", "in", ids).execute()).map(
      ({ status }) => status,
    )

  test("are added up for the seller: what one person approved in a day counts", async () => {
    const ids: string[] = []
    for (const part of [1, 2, 3]) ids.push(await asked(2_000, { pixKey: `parte-${part}-${victim.id}@loja.example` }))
    expect([await approve(ids[0] ?? ""), await approve(ids[1] ?? ""), await approve(ids[2] ?? "")]).toEqual([
      "approved",
      "approved",
      "pending",
    ])
    expect(await approve(ids[2] ?? "")).toBe("second_approver_needed")
    const { json } = await by(honest, "GET", `admin/withdrawals/${ids[2]}`)
    expect(json.data.withdrawal).toMatchObject({ approvals: 1, approvalsNeeded: 2 })
    await plan.expectTold(honest, "Espera a sua aprovação: aprovar saque")
    await plan.expectTold(victim, "Saque aprovado: R$ 2.000,00")
    const places = [1, 2].map((part) => `parte-${part}-${victim.id}@loja.example`)
    expect(await plan.left()).toEqual(places.map((place) => `payout 2000 to ${place}`))
  })

  test("are added up for the destination, whoever asks: colluding sellers share one account", async () => {
    const accomplice = await plan.victim()
    const pixKey = `conta-${victim.id}@loja.example`
    const first = await asked(3_000, { pixKey })
    const second = await asked(3_000, { person: accomplice, pixKey })
    expect([await approve(first), await approve(second)]).toEqual(["approved", "pending"])
    await plan.expectTold(honest, "Espera a sua aprovação: aprovar saque")
    await plan.expectTold(victim, "Saque aprovado: R$ 3.000,00")
    expect(await plan.left()).toEqual([`payout 3000 to ${pixKey}`])
  })

  test("are added up for a bank account in whatever spelling", async () => {
    const accounts = [
      { bank: "Banco do Brasil", agency: "0123", account: "4567-8", accountType: "corrente" },
      { bank: "BANCO DO BRASIL ", agency: "123", account: "45678", accountType: "corrente" },
      { bank: "Banco do Brasil", agency: "0123", account: "4567-9", accountType: "corrente" },
    ]
    const ids: string[] = []
    for (const bankData of accounts) {
      const person = await plan.victim()
      await plan.give(person, 300_000)
      const body = { amount: 3_000, paymentMethod: "bank_transfer", bankData }
      const { json } = await call("POST", "withdrawals", body, await plan.freshSessionOf(person))
      ids.push(json.data.withdrawal._id)
    }
    plan.clock.pass(25 * 3_600)
    const outcomes = []
    for (const id of ids) outcomes.push(await approve(id))
    expect(outcomes).toEqual(["approved", "pending", "approved"])
  })

  test("approved all at once, singly and in a batch, pass the threshold neither", async () => {
    const ids: string[] = []
    for (const part of [1, 2, 3, 4]) ids.push(await asked(2_000, { pixKey: `vez-${part}-${victim.id}@loja.example` }))
    await Promise.all([
      ...ids.map((id) => thief("PATCH", `admin/withdrawals/${id}/approve`)),
      thief("POST", "admin/withdrawals/approve", { ids }),
      thief("POST", "admin/withdrawals/approve", { ids: ids.toReversed() }),
    ])
    expect((await statuses(ids)).toSorted()).toEqual(["approved", "approved", "pending", "pending"])
    await plan.expectTold(victim, "Saque aprovado: R$ 2.000,00")
    expect(await plan.left()).toHaveLength(2)
  })

  test("that two approved don't count, nor those of the day before", async () => {
    const [large, small, next] = [await asked(6_000), await asked(4_000), await asked(4_000)]
    for (const admin of [stolen, honest]) await by(admin, "PATCH", `admin/withdrawals/${large}/approve`)
    expect(await approve(small)).toBe("approved")
    await plan.expectTold(victim, "Saque aprovado: R$ 6.000,00")
    await plan.expectTold(victim, "Saque aprovado: R$ 4.000,00")
    plan.clock.pass(25 * 3_600)
    expect(await approve(next)).toBe("approved")
    expect(await statuses([large, small, next])).toEqual(["approved", "approved", "approved"])
    const place = `to ${victim.id}@loja.example`
    expect(await plan.left()).toEqual([`payout 4000 ${place}`, `payout 4000 ${place}`, `payout 6000 ${place}`])
  })
})

describe("a withdrawal on its way", () => {
  test("frozen by its owner in the moment of its second approval is never sent, whichever came first", async () => {
    const ids = [await asked(6_001), await asked(7_001)]
    for (const id of ids) await thief("PATCH", `admin/withdrawals/${id}/approve`)
    const path = await plan.newNotMePath(victim)
    await Promise.all([
      ...ids.map((id) => by(honest, "PATCH", `admin/withdrawals/${id}/approve`)),
      plan.press(path),
      plan.sendPayouts(),
    ])
    const sent = await plan.left()
    const rows = plan.db.selectFrom("withdrawals").select("status").where("id", "in", ids)
    const states = (await rows.execute()).map(({ status }) => status)
    expect(states.filter((status) => status === "completed")).toHaveLength(sent.length)
    expect(states.filter((status) => status === "cancelled" || status === "rejected")).toHaveLength(2 - sent.length)
    await plan.expectTold(victim, "Os saques da sua conta estão congelados")
  })

  test("isn't freed by a refund, by money that comes, nor by another key in the profile", async () => {
    const receipt = { ...receiptOf(null, 20_000), paidAt: plan.clock.now() }
    await bookPayments({ ...plan, log }, [receipt])
    const unmatched = (await thief("GET", `admin/unmatched-payments?search=${receipt.endToEndId}`)).json.data
      .payments[0]
    const accept = (admin: Administrator) =>
      by(admin, "PATCH", `admin/unmatched-payments/${unmatched._id}/accept`, { sellerId: victim.id })
    expect(await accept(stolen)).toMatchObject(waits)
    const transactionId = (await accept(honest)).json.data.payment.transaction._id
    const session = await plan.freshSessionOf(victim)
    const { withdrawal } = (await call("POST", "withdrawals", ownWithdrawal(100), session)).json.data
    await plan.expectTold(victim, "Um destino novo para os seus saques")
    expect((await call("POST", `payments/transactions/${transactionId}/refunds`, { amount: 50 }, session)).status).toBe(
      201,
    )
    await call("PATCH", "users/updateMe", { bankAccount: { pixKey: "ladrao@loja.example" } }, session)
    const [held] = (await call("GET", "withdrawals", undefined, session)).json.data.withdrawals
    expect(held).toMatchObject({ _id: withdrawal._id, heldUntil: withdrawal.heldUntil })
    expect(held.holdReasons).toEqual(["new_destination"])
    await plan.expectTold(victim, "Seus dados de recebimento foram alterados")
    expect((await thief("PATCH", `admin/withdrawals/${withdrawal._id}/approve`)).json.code).toBe("withdrawal_held")
    expect(await plan.left()).toEqual(["refund 50"])
  })
})
