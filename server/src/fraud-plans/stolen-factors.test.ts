import { afterAll, afterEach, beforeEach, expect, test } from "vitest"
import { enrolPasskey, signInAssertion, stepUpAssertion } from "../../test-support/enrol-passkey.ts"
import { codeOf, enrolTotp } from "../../test-support/enrol-totp.ts"
import { openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"
import { newAuthenticator } from "../../test-support/software-authenticator.ts"
import { sellerForm } from "../../test-support/test-app.ts"

let victim: Victim
/** A session of the victim's that a thief copied out of the browser. */
let stolen: string

const plan = await openFraudPlan()

afterEach(async () => {
  expect(await plan.left()).toEqual([])
})

afterAll(() => plan.close())

beforeEach(async () => {
  plan.clock.pass(3_600)
  victim = await plan.victim()
  stolen = await plan.sessionOf(victim)
})

const { password } = sellerForm
type Method = "GET" | "POST" | "PATCH" | "DELETE"
const call = (method: Method, path: string, body?: object, token?: string) =>
  plan.call(method, `/api/v1/${path}`, { ...(token !== undefined && { token }), ...(body && { body }) })
const asThief = (method: Method, path: string, body?: object) => call(method, path, body, stolen)
const asVictim = (method: Method, path: string, body?: object) => call(method, path, body, victim.token)
const logIn = (body: object = {}) => call("POST", "auth/login", { email: victim.email, password, ...body })
const signIn = (credential: object) => call("POST", "auth/passkeys", { credential })
const withdraw = (token: string) =>
  call("POST", "withdrawals", { amount: 100, paymentMethod: "pix", pixKey: "ladrao@loja.example" }, token)
const factors = async () => (await asVictim("GET", "users/me/factors")).json.data
const subjects = async () => (await plan.mailsTo(victim)).map(({ subject }) => subject)

test("a stolen session strips no factor and adds none, not even with the password or a code that was seen", async () => {
  const { secret, recoveryCodes } = await enrolTotp(plan, victim)
  const { passkeyId } = await enrolPasskey(plan, victim)
  stolen = await plan.sessionOf(victim)
  const seen = codeOf(secret, plan.clock.now())
  const before = await factors()
  const tries: [Method, string, object?][] = [
    ["DELETE", "users/me/totp"],
    ["DELETE", `users/me/passkeys/${passkeyId}`],
    ["PATCH", `users/me/passkeys/${passkeyId}`, { name: "Chave do banco" }],
    ["POST", "users/me/recovery-codes"],
    ["POST", "users/me/totp"],
    ["POST", "users/me/totp/confirm", { code: seen }],
    ["POST", "users/me/passkeys/options"],
    ["POST", "users/me/passkeys", { name: "Minha", credential: {} }],
    ["PATCH", "auth/updateMyPassword", { passwordCurrent: password }],
  ]
  for (const [method, path, body] of tries) {
    expect({ path, ...(await asThief(method, path, body)) }).toMatchObject({
      status: 403,
      json: { code: "step_up_required" },
    })
  }
  expect((await asThief("POST", "auth/step-up", { password })).json.code).toBe("second_factor_required")
  expect((await asThief("POST", "auth/step-up", { password, code: seen })).json.code).toBe("second_factor_invalid")
  expect((await logIn({ code: seen })).json.code).toBe("second_factor_invalid")
  for (const [method, path, body] of tries) expect((await asThief(method, path, body)).status).toBe(403)
  expect((await withdraw(stolen)).json.code).toBe("step_up_required")
  expect(await factors()).toEqual(before)
  expect(recoveryCodes).toHaveLength(10)
  expect(await subjects()).not.toContain("Um segundo fator da sua conta foi desativado")
})

test("a stolen session of somebody without a factor adds no passkey: the password is asked for first", async () => {
  const options = await asThief("POST", "users/me/passkeys/options")
  expect(options.json).toMatchObject({ code: "step_up_required", data: { methods: ["password"] } })
  const guessed = await asThief("POST", "auth/step-up", { password: "123456789" })
  expect(guessed.json.code).toBe("validation_failed")
  expect((await asThief("POST", "users/me/passkeys", { name: "x", credential: {} })).json.code).toBe("step_up_required")
  expect((await factors()).passkeys).toBe(0)
})

test("a passkey that a thief adds in a session that is just fresh: the owner is told, and it opens nothing afterwards", async () => {
  const fresh = { ...victim, token: await plan.freshSessionOf(victim) }
  const { authenticator } = await enrolPasskey(plan, fresh, "Chave do ladrão")
  await plan.expectTold(victim, "Um segundo fator foi ativado na sua conta", {
    notice: "Segundo fator ativado",
    says: ["Chave do ladrão", "/not-me/"],
  })
  await plan.press(await plan.notMePath(victim))
  expect((await call("GET", "users/me", undefined, fresh.token)).status).toBe(401)
  expect((await signIn(await signInAssertion(plan, authenticator))).json.code).toBe("password_reset_required")
  expect((await withdraw(await plan.freshSessionOf(victim))).json.code).toBe("account_frozen")
})

test("a passkey from before the freeze ends it", async () => {
  const { authenticator } = await enrolPasskey(plan, victim)
  plan.clock.pass(25 * 3_600)
  await plan.press(await plan.newNotMePath(victim))
  await plan.expectTold(victim, "Os saques da sua conta estão congelados")
  const { token } = (await signIn(await signInAssertion(plan, authenticator))).json
  await plan.expectTold(victim, "Os saques da sua conta foram liberados")
  await plan.makeFresh(token)
  expect((await withdraw(token)).status).toBe(201)
  await plan.expectTold(victim, "Um destino novo para os seus saques")
})

test("a step-up that was overheard opens no other session: neither its assertion nor its five minutes", async () => {
  const { authenticator } = await enrolPasskey(plan, victim)
  stolen = await plan.sessionOf(victim)
  const credential = await stepUpAssertion(plan, victim, authenticator)
  expect((await asThief("POST", "auth/step-up", { credential })).status).toBe(401)
  expect((await asVictim("POST", "auth/step-up", { credential })).status).toBe(200)
  expect((await asThief("POST", "auth/step-up", { credential })).status).toBe(401)
  expect((await asVictim("POST", "auth/step-up", { credential })).status).toBe(401)
  expect((await withdraw(stolen)).json.code).toBe("step_up_required")
  expect((await asThief("POST", "users/me/recovery-codes")).json.code).toBe("step_up_required")
  expect((await asVictim("POST", "users/me/recovery-codes")).status).toBe(200)
})

test("a sign-in that was overheard signs nobody in a second time, and none made at a look-alike a first time", async () => {
  const { authenticator } = await enrolPasskey(plan, victim)
  const credential = await signInAssertion(plan, authenticator)
  expect((await signIn(credential)).status).toBe(200)
  plan.clock.pass(1)
  expect((await signIn(credential)).json.code).toBe("second_factor_invalid")
  expect((await asThief("POST", "auth/step-up", { credential })).status).toBe(401)
  const options = (await call("POST", "auth/passkeys/options")).json.data.publicKey
  const phished = authenticator.get(options, { origin: "https://localhost.entrar.example" })
  expect((await signIn(phished)).json.code).toBe("second_factor_invalid")
})

test("the thief's own passkey opens no session of the victim's, whatever it claims", async () => {
  const { authenticator } = await enrolPasskey(plan, victim)
  const thief = await plan.victim()
  const own = (await enrolPasskey(plan, thief)).authenticator
  stolen = await plan.sessionOf(victim)
  const options = async () => (await asThief("POST", "auth/step-up/options")).json.data.publicKey
  const { userHandle = null } = authenticator.get(await options()).response
  for (const deviation of [{}, { userHandle }, { userHandle: null }]) {
    const reply = await asThief("POST", "auth/step-up", { credential: own.get(await options(), deviation) })
    expect(reply.json.code).toBe("second_factor_invalid")
  }
  expect((await withdraw(stolen)).json.code).toBe("step_up_required")
  const taken = await asThief("POST", "users/me/passkeys", { name: "x", credential: newAuthenticator() })
  expect(taken.status).toBe(403)
})

test("a recovery code that was read off the paper works once, and the owner hears of it", async () => {
  const { recoveryCodes } = await enrolPasskey(plan, victim)
  const [code, other] = recoveryCodes
  const replies = await Promise.all([
    logIn({ code }),
    logIn({ code }),
    asVictim("POST", "auth/step-up", { password, code }),
  ])
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await logIn({ code })).json.code).toBe("second_factor_invalid")
  expect((await asVictim("POST", "auth/step-up", { password, code })).json.code).toBe("second_factor_invalid")
  await plan.expectTold(victim, "Um código de recuperação da sua conta foi usado", {
    notice: "Código de recuperação usado",
  })
  expect((await asVictim("POST", "auth/step-up", { password, code: other })).status).toBe(200)
  expect((await asVictim("POST", "users/me/recovery-codes")).status).toBe(200)
  expect((await logIn({ code: recoveryCodes[2] })).json.code).toBe("second_factor_invalid")
})

test("a thief of the mailbox sets a new password and still meets the second factor", async () => {
  const { authenticator } = await enrolPasskey(plan, victim)
  await enrolTotp(plan, victim)
  await call("POST", "auth/forgotPassword", { email: victim.email })
  const texts = (await plan.mailsTo(victim)).map(({ text }) => text).join("\n")
  const link = /reset-password\/([\w-]{43})/.exec(texts)?.[1]
  const body = { password: "cavalo-bateria-grampo", passwordConfirm: "cavalo-bateria-grampo" }
  expect((await call("PATCH", `auth/resetPassword/${link}`, body)).status).toBe(200)
  expect((await logIn({ password: body.password })).json).toMatchObject({
    code: "second_factor_required",
    data: { methods: ["passkey", "totp", "recovery_code"] },
  })
  expect((await asThief("GET", "users/me")).status).toBe(401)
  expect((await signIn(await signInAssertion(plan, authenticator))).status).toBe(200)
  await plan.expectTold(victim, "Sua senha foi alterada", { says: ["/not-me/"] })
})

test("a lost phone opens nothing once its passkey is removed, nor does what it had opened", async () => {
  const { authenticator, passkeyId } = await enrolPasskey(plan, victim)
  await enrolTotp(plan, victim)
  const atHand = (await signIn(await signInAssertion(plan, authenticator))).json.token
  const underWay = await signInAssertion(plan, authenticator)
  await plan.makeFresh(victim.token)
  expect((await asVictim("DELETE", `users/me/passkeys/${passkeyId}`)).status).toBe(204)
  expect((await call("GET", "users/me", undefined, atHand)).status).toBe(401)
  expect((await signIn(underWay)).json.code).toBe("second_factor_invalid")
  expect((await signIn(await signInAssertion(plan, authenticator))).json.code).toBe("second_factor_invalid")
  await plan.expectTold(victim, "Um segundo fator da sua conta foi desativado", {
    notice: "Segundo fator desativado",
  })
})

test("a stolen administrator's session approves nothing, and no passkey of another administrator helps it", async () => {
  const admin = await plan.administrator()
  const { authenticator } = await enrolPasskey(plan, admin)
  const other = await plan.administrator()
  const own = (await enrolPasskey(plan, other)).authenticator
  const stolenAdmin = { ...admin, token: await plan.sessionOf(admin, "admin") }
  const fresh = await plan.freshSessionOf(victim)
  const { _id } = (await withdraw(fresh)).json.data.withdrawal
  await plan.expectTold(victim, "Um destino novo para os seus saques")
  const approve = () => call("PATCH", `admin/withdrawals/${_id}/approve`, {}, stolenAdmin.token)
  expect((await approve()).json.code).toBe("step_up_required")
  const elsewhere = await stepUpAssertion(plan, admin, authenticator)
  const options = (await call("POST", "auth/step-up/options", undefined, stolenAdmin.token)).json.data.publicKey
  for (const credential of [elsewhere, own.get(options)]) {
    expect((await call("POST", "auth/step-up", { credential }, stolenAdmin.token)).status).toBe(401)
  }
  expect((await approve()).json.code).toBe("step_up_required")
})
