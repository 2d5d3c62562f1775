import { afterAll, afterEach, beforeEach, expect, test } from "vitest"
import { verifyLedger } from "#ledger/reads"
import { verifyWithdrawals } from "#money/withdrawals/operator-reads"
import { codeOf, enrolTotp } from "../../test-support/enrol-totp.ts"
import { type Administrator, openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"
import { sellerForm } from "../../test-support/test-app.ts"

let admin: Administrator
let victim: Victim
let fresh: string

const plan = await openFraudPlan()

beforeEach(async () => {
  plan.clock.pass(3_600)
  victim = await plan.victim()
  admin = await plan.administrator()
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

const asThief = (method: "GET" | "POST", path: string, body?: object) =>
  plan.call(method, `/api/v1/${path}`, { token: fresh, ...(body && { body }) })
const withdraw = (amount = 100, pixKey = "ladrao@loja.example") =>
  asThief("POST", "withdrawals", { amount, paymentMethod: "pix", pixKey })
const approve = (id: string) =>
  plan.call("PATCH", `/api/v1/admin/withdrawals/${id}/approve`, { token: admin.token, body: {} })
const unfreezeBy = ({ token }: Administrator) =>
  plan.call("PATCH", `/api/v1/admin/users/${victim.id}/unfreeze`, { token })
/** By two administrators, where there are two. */
async function unfreeze() {
  const first = await unfreezeBy(admin)
  return first.json.data?.pending === true ? unfreezeBy(await plan.administrator()) : first
}
const logIn = (code?: string) =>
  plan.call("POST", "/api/v1/auth/login", { body: { email: victim.email, password: sellerForm.password, code } })
const statusOf = async (id: string) =>
  (await plan.db.selectFrom("withdrawals").select("status").where("id", "=", id).executeTakeFirstOrThrow()).status
const balance = async () =>
  (await plan.call("GET", "/api/v1/users/me", { token: await plan.sessionOf(victim) })).json.data.user.balance

/** One whose hold is over, approved by an administrator. */
async function approved(amount = 100): Promise<string> {
  const { json } = await withdraw(amount)
  plan.clock.pass(25 * 3_600)
  admin = { ...admin, token: await plan.freshSessionOf(admin, "admin") }
  fresh = await plan.freshSessionOf(victim)
  expect(await approve(json.data.withdrawal._id)).toMatchObject({ status: 200 })
  return json.data.withdrawal._id
}

const frozen = "Os saques da sua conta estão congelados"

test("a link that a mail program looks into stops nothing; its button stops everything that is pending", async () => {
  const { json } = await withdraw()
  await plan.expectTold(victim, "Um destino novo para os seus saques")
  const path = await plan.newNotMePath(victim)
  const page = await plan.call("GET", path)
  expect(page.status).toBe(200)
  expect(page.text).toContain("Não fui eu: parar tudo")
  expect((await asThief("GET", "withdrawals")).status).toBe(200)

  const stopped = await plan.press(path, "198.51.100.7")
  expect(stopped.status).toBe(200)
  expect(stopped.text).toContain("1 saque foi cancelado: R$ 100,00")
  expect(await statusOf(json.data.withdrawal._id)).toBe("cancelled")
  expect((await asThief("GET", "withdrawals")).status).toBe(401)
  expect((await plan.call("GET", "/api/v1/withdrawals", { token: victim.token })).status).toBe(401)
  expect(await balance()).toBe(1_000)
  await plan.expectTold(victim, frozen, { says: ["198.51.100.7"] })
  await plan.expectTold(admin, "Saques congelados: Ana Souza")
})

test("what is approved and not sent is never sent, and no approval helps afterwards", async () => {
  const id = await approved()
  await plan.expectTold(victim, "Saque aprovado: R$ 100,00")
  await plan.press(await plan.newNotMePath(victim))
  await plan.expectTold(victim, frozen)
  expect(await plan.left()).toEqual([])
  expect(await statusOf(id)).toBe("cancelled")
  expect((await approve(id)).json.code).toBe("withdrawal_not_pending")
  expect(await balance()).toBe(1_000)
})

test("what the bank is just taking can't be called back, and the owner is told so", async () => {
  await approved()
  const path = await plan.newNotMePath(victim)
  let page = ""
  plan.whileSending(async () => {
    page = (await plan.press(path)).text
  })
  expect(await plan.left()).toEqual(["payout 100 to ladrao@loja.example"])
  await plan.expectTold(victim, frozen, { says: ["Pelo menos um saque já tinha ido para pagamento"] })
  await plan.expectTold(victim, "Saque pago: R$ 100,00")
  expect(page).toContain("1 saque já tinha ido para pagamento")
  expect(await balance()).toBe(900)
})

test("raced with the job that sends, each payout is either sent or back in the balance, never both", async () => {
  const ids = [await approved(100)]
  for (const _ of [1, 2, 3]) ids.push(await approved(100))
  const path = await plan.newNotMePath(victim)
  await Promise.all([plan.sendPayouts(), plan.press(path), plan.sendPayouts()])
  await plan.expectTold(victim, frozen)
  const left = (await plan.left()).length
  const statuses = await Promise.all(ids.map(statusOf))
  expect(statuses.filter((status) => status === "completed")).toHaveLength(left)
  expect(statuses.filter((status) => status === "cancelled" || status === "rejected")).toHaveLength(4 - left)
  expect(await balance()).toBe(1_000 - 100 * left)
})

test("a request that comes in the same moment is refused or cancelled", async () => {
  const path = await plan.newNotMePath(victim)
  await Promise.all([withdraw(10), withdraw(20), plan.press(path), withdraw(30), withdraw(40)])
  await plan.expectTold(victim, frozen)
  const rows = await plan.db.selectFrom("withdrawals").select("status").where("seller_id", "=", victim.id).execute()
  expect(rows.filter(({ status }) => status !== "cancelled")).toEqual([])
  expect(await balance()).toBe(1_000)
})

test("the link works once, also pressed five times at once, and not after a week", async () => {
  const path = await plan.newNotMePath(victim)
  const presses = await Promise.all([1, 2, 3, 4, 5].map(() => plan.press(path)))
  expect(presses.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404])
  expect((await plan.mailsTo(victim)).filter(({ subject }) => subject === frozen)).toHaveLength(1)
  expect((await unfreeze()).status).toBe(200)
  expect((await plan.press(path)).status).toBe(404)
  expect((await plan.call("GET", path)).text).toContain("Este link não vale mais")
  const old = await plan.newNotMePath(victim)
  plan.clock.pass(7 * 86_400)
  expect((await plan.press(old)).status).toBe(404)
  expect((await plan.press("/not-me/nada")).status).toBe(404)
})

test("while it is frozen nobody withdraws, in whatever session; an old factor ends it", async () => {
  const { secret } = await enrolTotp(plan, victim)
  plan.clock.pass(25 * 3_600)
  await plan.press(await plan.newNotMePath(victim))
  fresh = await plan.freshSessionOf(victim)
  expect((await withdraw()).json.code).toBe("account_frozen")
  plan.clock.pass(60)
  await plan.resetPassword(victim)
  expect((await logIn(codeOf(secret, plan.clock.now()))).status).toBe(200)
  fresh = await plan.freshSessionOf(victim)
  await plan.expectTold(victim, "Os saques da sua conta foram liberados", { says: ["/not-me/"] })
  expect((await withdraw()).status).toBe(201)
})

test("a factor that was enrolled after what the owner complains of doesn't end the freeze, an administrator does", async () => {
  const path = await plan.newNotMePath(victim)
  plan.clock.pass(60)
  const early = await enrolTotp(plan, victim)
  plan.clock.pass(60)
  await plan.press(path)
  await plan.expectTold(victim, frozen)
  plan.clock.pass(60)
  await plan.resetPassword(victim)
  expect((await logIn(codeOf(early.secret, plan.clock.now()))).status).toBe(200)
  fresh = await plan.freshSessionOf(victim)
  expect((await withdraw()).json.code).toBe("account_frozen")
  await plan.makeFresh(admin.token)
  expect((await unfreeze()).status).toBe(200)
  await plan.expectTold(victim, "Os saques da sua conta foram liberados", { says: ["O suporte liberou"] })
  expect((await unfreeze()).json.code).toBe("account_not_frozen")
  expect((await withdraw()).status).toBe(201)
})

test("recovery codes that were renewed after what the owner complains of don't end the freeze, older ones do", async () => {
  const { recoveryCodes } = await enrolTotp(plan, victim)
  plan.clock.pass(25 * 3_600)
  const early = await plan.newNotMePath(victim)
  plan.clock.pass(60)
  await plan.press(early)
  await plan.resetPassword(victim)
  expect((await logIn(recoveryCodes[0])).status).toBe(200)
  fresh = await plan.freshSessionOf(victim)
  const renewed = (await asThief("POST", "users/me/recovery-codes")).json.data.recoveryCodes
  await plan.press(await plan.notMePath(victim))
  plan.clock.pass(60)
  await plan.resetPassword(victim)
  expect((await logIn(renewed[0])).json.code).toBe("second_factor_invalid")
  fresh = await plan.freshSessionOf(victim)
  expect((await withdraw()).json.code).toBe("account_frozen")
})

test("nor do codes and factors from right before the mail that the owner happens to press", async () => {
  const { secret } = await enrolTotp(plan, victim)
  fresh = await plan.freshSessionOf(victim)
  const { recoveryCodes } = (await asThief("POST", "users/me/recovery-codes")).json.data
  plan.clock.pass(60)
  expect((await withdraw()).status).toBe(201)
  await plan.press(await plan.notMePath(victim))
  plan.clock.pass(60)
  for (const code of [codeOf(secret, plan.clock.now()), recoveryCodes[0]]) {
    await plan.resetPassword(victim)
    expect((await logIn(code)).status).toBe(200)
    fresh = await plan.freshSessionOf(victim)
    expect((await withdraw()).json.code).toBe("account_frozen")
    await plan.press(await plan.notMePath(victim))
  }
})

test("the devices of the account are forgotten: the thief's browser is a new one, and its next sign-in is told", async () => {
  const { headers } = await logIn()
  const cookie = String(headers["set-cookie"]).split(";")[0] ?? ""
  const again = () =>
    plan.call("POST", "/api/v1/auth/login", {
      body: { email: victim.email, password: sellerForm.password },
      headers: { cookie },
    })
  expect((await again()).headers["set-cookie"]).toBe(undefined)
  await plan.press(await plan.newNotMePath(victim))
  await plan.resetPassword(victim)
  expect((await again()).headers["set-cookie"]).toBeDefined()
  expect((await plan.mailsTo(victim))[0]?.subject).toBe("Entrada na sua conta por um aparelho novo")
})
