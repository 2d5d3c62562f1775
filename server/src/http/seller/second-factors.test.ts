import { URI } from "otpauth"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { qrSvg } from "#kit/qr-code"
import { otpauthUriOf } from "#people/second-factors/totp"
import { codeOf, enrolTotp } from "../../../test-support/enrol-totp.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

let token: string
let email: string
let id: string
let made = 0

const site = await openTestApp()

afterAll(() => site.close())

beforeEach(async () => {
  made += 1
  email = `fator-${made}@loja.example`
  token = await site.signUp(email)
  id = (await get("/users/me")).json.data.user._id
})

const api = "/api/v1"
const get = (path: string, as = token) => site.call("GET", api + path, { token: as })
const post = (path: string, body?: object, as = token) =>
  site.call("POST", api + path, { token: as, ...(body && { body }) })
const remove = (path: string, as = token) => site.call("DELETE", api + path, { token: as })
const { password } = sellerForm
const logIn = (code?: string, from = "203.0.113.5") =>
  site.call("POST", `${api}/auth/login`, { body: { email, password, ...(code && { code }) }, from })
const stepUp = (code?: string, as = token) => post("/auth/step-up", { password, ...(code && { code }) }, as)
const enrol = () => enrolTotp(site, { id, token })
const code = (secret: string, steps = 0) => codeOf(secret, site.clock.now(), steps)
const aMinute = () => site.clock.pass(60)

async function auditOf(action: string) {
  const rows = site.db.selectFrom("audit_records").selectAll().where("entity_id", "=", id)
  return rows.where("action", "=", action as never).execute()
}

describe("an authenticator app", () => {
  test("counts once a code confirmed it, is written down encrypted, and its owner is told by mail", async () => {
    await stepUp()
    const begun = await post("/users/me/totp")
    expect(begun.status).toBe(200)
    const { secret, otpauthUri, qrCode } = begun.json.data
    expect(Buffer.from(qrCode.split(",")[1], "base64").toString()).toBe(qrSvg(otpauthUri))
    expect(otpauthUri).toContain(`otpauth://totp/Tilinta:${encodeURIComponent(email)}?`)
    expect(otpauthUri).toContain(`secret=${secret}`)
    expect((await logIn()).status).toBe(200)

    const wrong = await post("/users/me/totp/confirm", { code: "000000" })
    expect(wrong.json).toMatchObject({ code: "second_factor_invalid" })
    const confirmed = await post("/users/me/totp/confirm", { code: code(secret) })
    expect(confirmed.status).toBe(200)
    const codes: string[] = confirmed.json.data.recoveryCodes
    expect(new Set(codes).size).toBe(10)
    expect((await get("/users/me/factors")).json.data).toMatchObject({ totp: {}, recoveryCodesLeft: 10 })

    const row = await site.db.selectFrom("totp_factors").selectAll().where("user_id", "=", id).executeTakeFirstOrThrow()
    expect(row.sealed_secret.toString("latin1")).not.toContain(secret)
    const stored = await site.db.selectFrom("recovery_codes").selectAll().where("user_id", "=", id).execute()
    expect(JSON.stringify(stored)).not.toContain(codes[0])
    expect(await auditOf("second_factor.added")).toHaveLength(1)
    const [mail] = await deliverMails(site, email)
    expect(mail?.subject).toBe("Um segundo fator foi ativado na sua conta")
  })

  test("may be begun again before it is confirmed, and not afterwards", async () => {
    await stepUp()
    const first = await post("/users/me/totp")
    const second = await post("/users/me/totp")
    const outdated = await post("/users/me/totp/confirm", { code: code(first.json.data.secret) })
    expect(outdated.json.code).toBe("second_factor_invalid")
    const body = { code: code(second.json.data.secret) }
    const replies = await Promise.all([1, 2].map(() => post("/users/me/totp/confirm", body)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    aMinute()
    await stepUp(code(second.json.data.secret))
    expect((await post("/users/me/totp")).json.code).toBe("totp_already_enrolled")
  })

  test("ends the sessions that were opened without it, but not the one that added it", async () => {
    const elsewhere = (await logIn()).json.token
    await enrol()
    expect((await get("/users/me", elsewhere)).status).toBe(401)
    expect((await get("/users/me")).status).toBe(200)
  })

  test("is taken away with a code, and the recovery codes with it", async () => {
    const { secret, recoveryCodes } = await enrol()
    expect((await remove("/users/me/totp")).json).toMatchObject({ code: "step_up_required" })
    aMinute()
    await stepUp(code(secret))
    expect((await remove("/users/me/totp")).status).toBe(204)
    expect((await remove("/users/me/totp")).status).toBe(204)
    expect(await auditOf("second_factor.removed")).toHaveLength(1)
    expect((await logIn()).status).toBe(200)
    expect((await get("/users/me/factors")).json.data).toEqual({
      ...{ totp: null, passkeys: 0, recoveryCodesLeft: 0, stepUpAsked: false },
    })
    await enrol()
    expect((await logIn(recoveryCodes[0])).status).toBe(401)
  })
})

describe("a login with a second factor", () => {
  test("asks for the code, and only of who knows the password", async () => {
    await enrol()
    const reply = await logIn()
    expect(reply.status).toBe(401)
    expect(reply.json).toMatchObject({
      code: "second_factor_required",
      data: { methods: ["totp", "recovery_code"] },
    })
    const stranger = await site.call("POST", `${api}/auth/login`, { body: { email, password: "outra-senha" } })
    expect(stranger.json.code).toBe("wrong_credentials")
    expect(stranger.json.data).toBeUndefined()
  })

  test("takes codes of a phone whose clock is a half minute off, either way, and no older or later ones", async () => {
    const { secret } = await enrol()
    for (const [steps, status] of [
      [-2, 401],
      [2, 401],
      [-1, 200],
      [0, 200],
      [1, 200],
    ] as const) {
      aMinute()
      aMinute()
      expect({ steps, status: (await logIn(code(secret, steps))).status }).toEqual({ steps, status })
    }
  })

  test("takes a code once: not again, not an older one, and of many at once one", async () => {
    const { secret } = await enrol()
    expect((await logIn(code(secret))).json.code).toBe("second_factor_invalid")
    aMinute()
    const [now, before] = [code(secret), code(secret, -1)]
    const replies = await Promise.all(["203.0.113.1", "203.0.113.2", "203.0.113.3"].map((from) => logIn(now, from)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
    expect((await logIn(now)).status).toBe(401)
    expect((await logIn(before)).status).toBe(401)
  })

  test("takes each recovery code once, however it is typed, and tells its owner", async () => {
    const [first = "", second = ""] = (await enrol()).recoveryCodes
    const replies = await Promise.all([1, 2].map(() => logIn(` ${first.toLowerCase().replaceAll("-", " ")} `)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect((await logIn(second)).status).toBe(200)
    expect((await get("/users/me/factors")).json.data.recoveryCodesLeft).toBe(8)
    const subjects = (await deliverMails(site, email)).map(({ subject }) => subject)
    expect(subjects).toContain("Um código de recuperação da sua conta foi usado")
  })

  test("counts wrong codes like wrong passwords, also when they come at once", async () => {
    const { secret } = await enrol()
    const replies = await Promise.all(Array.from({ length: 14 }, () => logIn("000000")))
    const statuses = replies.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(4).fill(429)])
    aMinute()
    expect((await logIn(code(secret))).status).toBe(429)
    expect((await logIn(code(secret), "198.51.100.7")).status).toBe(200)
  })
})

describe("the ways around a second factor", () => {
  test("a link to a new password removes none", async () => {
    await enrol()
    await site.call("POST", `${api}/auth/forgotPassword`, { body: { email } })
    const texts = (await deliverMails(site, email)).map(({ text }) => text).join()
    const link = /reset-password\/([\w-]{43})/.exec(texts)?.[1]
    const body = { password: "cavalo-bateria-grampo", passwordConfirm: "cavalo-bateria-grampo" }
    expect((await site.call("PATCH", `${api}/auth/resetPassword/${link}`, { body })).status).toBe(200)
    const reply = await site.call("POST", `${api}/auth/login`, { body: { email, password: body.password } })
    expect(reply.json.code).toBe("second_factor_required")
  })

  test("a sign-up that is repeated with its key opens no session", async () => {
    made += 1
    const repeated = { ...sellerForm, email: `fator-${made}@loja.example` }
    const headers = { "idempotency-key": "cadastro" }
    const signUp = () => site.call("POST", `${api}/auth/signup`, { body: repeated, headers })
    const first = await signUp()
    await enrolTotp(site, { id: first.json.data.user._id, token: first.json.token })
    expect((await signUp()).json.code).toBe("second_factor_required")
  })

  test("codes that are guessed by step-ups use up the limit of logins", async () => {
    const { secret } = await enrol()
    for (const status of [...Array<number>(10).fill(401), 429]) {
      expect((await stepUp("000000")).status).toBe(status)
    }
    aMinute()
    expect((await stepUp(code(secret))).status).toBe(429)
    expect((await logIn(code(secret), "127.0.0.1")).status).toBe(429)
    expect((await get("/users/me")).status).toBe(200)
  })
})

describe("a step-up", () => {
  test("makes this session fresh for five minutes, and no other one of the same person", async () => {
    const { secret } = await enrol()
    aMinute()
    const other = (await logIn(code(secret))).json.token
    aMinute()
    const reply = await stepUp(code(secret))
    expect(reply.status).toBe(200)
    expect(reply.json.data.freshUntil).toBe(new Date(site.clock.now().getTime() + 300_000).toISOString())
    expect((await post("/users/me/recovery-codes", undefined, other)).json.code).toBe("step_up_required")
    expect((await post("/users/me/recovery-codes")).status).toBe(200)
    site.clock.pass(299)
    expect((await post("/users/me/recovery-codes")).status).toBe(200)
    site.clock.pass(1)
    const late = await post("/users/me/recovery-codes")
    expect(late.status).toBe(403)
    expect(late.json).toMatchObject({
      code: "step_up_required",
      data: { methods: ["password", "totp", "recovery_code"] },
    })
  })

  test("is not made by signing in, nor by the same code again, nor without the password or the code", async () => {
    const { secret } = await enrol()
    aMinute()
    const used = code(secret)
    const fresh = (await logIn(used)).json.token
    expect((await post("/users/me/recovery-codes", undefined, fresh)).json.code).toBe("step_up_required")
    expect((await stepUp(used)).json.code).toBe("second_factor_invalid")
    expect((await stepUp()).json.code).toBe("second_factor_required")
    aMinute()
    const wrong = await post("/auth/step-up", { password: "outra-senha", code: code(secret) })
    expect(wrong.json).toMatchObject({ code: "validation_failed", errors: [{ path: "password" }] })
    expect((await post("/users/me/recovery-codes")).json.code).toBe("step_up_required")
    expect((await stepUp(code(secret))).status).toBe(200)
  })

  test("lasts no longer when a clock is set back", async () => {
    const { secret } = await enrol()
    site.clock.pass(3_600)
    await stepUp(code(secret))
    site.clock.pass(-3_000)
    expect((await post("/users/me/recovery-codes")).json.code).toBe("step_up_required")
    site.clock.pass(2_990)
    expect((await post("/users/me/recovery-codes")).status).toBe(200)
    site.clock.pass(10)
  })

  test("is asked for a first factor also where protection is relaxed, and for nothing else", async () => {
    const refused = await post("/users/me/totp")
    expect(refused.json).toMatchObject({ code: "step_up_required", data: { methods: ["password"] } })
    expect((await post("/users/me/api-keys", {})).json.code).toBe("validation_failed")
    expect((await stepUp()).status).toBe(200)
    expect((await post("/users/me/totp")).status).toBe(200)
  })
})

// A colon parts the two names in the code, and some apps decode it before they part them.
test.for([
  "Loja: Ação & Cia +1",
  "A:B:C",
  "https://loja.example/?a=1#b",
  "50% Off: já",
  "Loja：Centro",
  "::",
  "Loja%3ACentro",
])("the code of a platform called %s names it and the account, each whole", (name) => {
  const uri = otpauthUriOf("JBSWY3DPEHPK3PXP", { issuer: name, account: "ana@loja.example" })
  const issuer = new URL(uri).searchParams.get("issuer") ?? ""
  expect(issuer).not.toMatch(/[:：/?#%]|^\s|\s$/)
  const label = decodeURIComponent(/^otpauth:\/\/totp\/([^?]*)/.exec(uri)?.[1] ?? "")
  expect(label).toBe(issuer === "" ? "ana@loja.example" : `${issuer}:ana@loja.example`)
  expect(URI.parse(uri)).toMatchObject({ issuer, label: "ana@loja.example" })
})
