import { generateKeyPairSync } from "node:crypto"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { newPerson, type Person } from "../../../test-support/admins.ts"
import { enrolPasskey, signInAssertion, stepUpAssertion } from "../../../test-support/enrol-passkey.ts"
import { codeOf, enrolTotp } from "../../../test-support/enrol-totp.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { newAuthenticator } from "../../../test-support/software-authenticator.ts"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

let ana: Person
let made = 0

const site = await openTestApp()

afterAll(() => site.close())

beforeEach(async () => {
  made += 1
  ana = await newPerson(site, `chave-${made}@loja.example`)
})

const { password } = sellerForm
type Method = "GET" | "POST" | "PATCH" | "DELETE"
const call = (method: Method, path: string, body?: object, token = ana.token) =>
  site.call(method, `/api/v1${path}`, { token, ...(body && { body }) })
const signIn = (credential: object, from = "203.0.113.5") =>
  site.call("POST", "/api/v1/auth/passkeys", { body: { credential }, from })
const stepUp = (body: object = { password }, token = ana.token) => call("POST", "/auth/step-up", body, token)
const logIn = (body: object = {}) =>
  site.call("POST", "/api/v1/auth/login", { body: { email: ana.email, password, ...body } })
const passkeys = async () => (await call("GET", "/users/me/passkeys")).json.data.passkeys
const creationOptions = async (token = ana.token) =>
  (await call("POST", "/users/me/passkeys/options", undefined, token)).json.data.publicKey
const requestOptions = async () => (await call("POST", "/auth/passkeys/options")).json.data.publicKey
const add = (credential: object, name = "Celular da Ana", token = ana.token) =>
  call("POST", "/users/me/passkeys", { name, credential }, token)
const actions = async () => {
  const rows = site.db.selectFrom("audit_records").select("action").where("entity_id", "=", ana.id)
  return (await rows.execute()).map(({ action }) => action)
}

describe("a passkey", () => {
  test("is added by HTTP alone with all that makes it one, gives recovery codes, and its owner is told", async () => {
    expect((await call("POST", "/users/me/passkeys/options")).json.code).toBe("step_up_required")
    await stepUp()
    const options = await creationOptions()
    expect(options).toMatchObject({
      rp: { id: "localhost", name: "Tilinta" },
      user: { name: ana.email },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [],
    })
    expect(Buffer.from(options.challenge, "base64url")).toHaveLength(32)
    expect(Buffer.from(options.user.id, "base64url")).toHaveLength(32)
    const elsewhere = (await logIn()).json.token
    const added = await add(newAuthenticator().create(options))
    expect(added.status).toBe(201)
    expect(added.json.data.passkey).toMatchObject({ name: "Celular da Ana", lastUsedAt: null, answersHere: true })
    expect(added.json.data.recoveryCodes).toHaveLength(10)
    expect((await call("GET", "/users/me", undefined, elsewhere)).status).toBe(401)
    expect((await call("GET", "/users/me/factors")).json.data).toEqual({
      totp: null,
      passkeys: 1,
      recoveryCodesLeft: 10,
      stepUpAsked: true,
    })
    expect(await actions()).toContain("second_factor.added")
    const [mail] = await deliverMails(site, ana.email)
    expect(mail?.text).toMatch(/chave de acesso[\s\S]*Celular da Ana/)
    const again = await creationOptions()
    expect(again.user.id).toBe(options.user.id)
    expect(again.excludeCredentials).toHaveLength(1)
  })

  test("signs in without a password: the answer is the login's, and the session isn't fresh", async () => {
    const { authenticator } = await enrolPasskey(site, ana)
    const reply = await signIn(authenticator.get(await requestOptions()))
    expect(reply.status).toBe(200)
    expect(reply.headers["set-cookie"]).toMatch(/^tilinta_device=/)
    const { token, data } = reply.json
    expect(data.user).toMatchObject({ _id: ana.id, email: ana.email, balance: 0 })
    expect((await call("POST", "/users/me/recovery-codes", undefined, token)).json.code).toBe("step_up_required")
    expect((await passkeys())[0].lastUsedAt).toBe(site.clock.now().toISOString())
  })

  test("makes the session fresh in which it was asked for, and the methods name it first", async () => {
    const { authenticator } = await enrolPasskey(site, ana)
    const refused = await call("POST", "/users/me/recovery-codes")
    expect(refused.json).toMatchObject({
      code: "step_up_required",
      data: { methods: ["password", "passkey", "recovery_code"] },
    })
    const options = (await call("POST", "/auth/step-up/options")).json.data.publicKey
    expect(options.allowCredentials).toHaveLength(1)
    expect((await stepUp({ credential: authenticator.get(options) })).status).toBe(200)
    expect((await call("POST", "/users/me/recovery-codes")).status).toBe(200)
  })

  test("alone shuts out who has the password: they must use it, or a recovery code", async () => {
    const { recoveryCodes } = await enrolPasskey(site, ana)
    const refused = await logIn()
    expect(refused).toMatchObject({
      status: 401,
      json: { code: "second_factor_required", data: { methods: ["passkey", "recovery_code"] } },
    })
    expect(refused.json.message).toContain("chave de acesso")
    expect((await stepUp()).json.code).toBe("second_factor_required")
    expect((await logIn({ code: "000000" })).json.code).toBe("second_factor_invalid")
    expect((await logIn({ code: recoveryCodes[0] })).status).toBe(200)
    expect((await logIn({ code: recoveryCodes[0] })).status).toBe(401)
  })

  test("is one factor next to the app: codes come with the first and go with the last, whichever it is", async () => {
    const { recoveryCodes } = await enrolTotp(site, ana)
    expect(recoveryCodes).toHaveLength(10)
    const { recoveryCodes: none, passkeyId, authenticator } = await enrolPasskey(site, ana)
    expect(none).toEqual([])
    expect((await logIn()).json.data.methods).toEqual(["passkey", "totp", "recovery_code"])
    await stepUp({ credential: await stepUpAssertion(site, ana, authenticator) })
    expect((await call("DELETE", "/users/me/totp")).status).toBe(204)
    expect((await call("GET", "/users/me/factors")).json.data.recoveryCodesLeft).toBe(10)
    expect((await call("DELETE", `/users/me/passkeys/${passkeyId}`)).status).toBe(204)
    expect((await call("GET", "/users/me/factors")).json.data.recoveryCodesLeft).toBe(0)
    expect((await logIn()).status).toBe(200)
  })

  test("is renamed and removed by its owner; removed, it signs nobody in, and other sessions end", async () => {
    const { authenticator, passkeyId } = await enrolPasskey(site, ana)
    const bruno = await newPerson(site, `outro-${made}@loja.example`)
    await stepUp({ password }, bruno.token)
    for (const method of ["PATCH", "DELETE"] as const) {
      const reply = await call(method, `/users/me/passkeys/${passkeyId}`, { name: "Minha" }, bruno.token)
      expect(reply.json.code).toBe("passkey_not_found")
    }
    const elsewhere = (await signIn(await signInAssertion(site, authenticator))).json.token
    const begun = await signInAssertion(site, authenticator)
    await stepUp({ credential: await stepUpAssertion(site, ana, authenticator) })
    const renamed = await call("PATCH", `/users/me/passkeys/${passkeyId}`, { name: "  Chave da loja " })
    expect(renamed.json.data.passkey.name).toBe("Chave da loja")
    expect((await call("DELETE", `/users/me/passkeys/${passkeyId}`)).status).toBe(204)
    expect((await call("DELETE", `/users/me/passkeys/${passkeyId}`)).status).toBe(404)
    expect((await call("GET", "/users/me", undefined, elsewhere)).status).toBe(401)
    expect((await signIn(begun)).json.code).toBe("second_factor_invalid")
    expect(await actions()).toEqual(expect.arrayContaining(["second_factor.renamed", "second_factor.removed"]))
    const subjects = (await deliverMails(site, ana.email)).map(({ subject }) => subject)
    expect(subjects).toContain("Um segundo fator da sua conta foi desativado")
  })

  test("is one of ten at most, also when the last two come at once, and nobody has one twice", async () => {
    const first = await enrolPasskey(site, ana)
    await stepUp({ credential: await stepUpAssertion(site, ana, first.authenticator) })
    const twice = newAuthenticator()
    expect((await add(twice.create(await creationOptions()))).status).toBe(201)
    expect((await add(twice.create(await creationOptions()))).json.code).toBe("passkey_already_enrolled")
    for (let count = 2; count < 9; count += 1) await add(newAuthenticator().create(await creationOptions()))
    const last = [await creationOptions(), await creationOptions()]
    const replies = await Promise.all(last.map((options) => add(newAuthenticator().create(options))))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect((await call("POST", "/users/me/passkeys/options")).json.code).toBe("too_many_passkeys")
    expect(await passkeys()).toHaveLength(10)
  })
})

describe("a challenge", () => {
  test("works once, also when its assertion is sent twice at the same moment or again later", async () => {
    const { authenticator } = await enrolPasskey(site, ana)
    const assertion = await signInAssertion(site, authenticator)
    const replies = await Promise.all([signIn(assertion), signIn(assertion, "203.0.113.6"), signIn(assertion)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
    expect((await signIn(assertion)).status).toBe(401)
  })

  test("is used up by a failure, and lasts five minutes", async () => {
    const { authenticator } = await enrolPasskey(site, ana)
    const options = await requestOptions()
    expect((await signIn(authenticator.get(options, { isVerified: false }))).status).toBe(401)
    expect((await signIn(authenticator.get(options))).status).toBe(401)
    const late = await signInAssertion(site, authenticator)
    site.clock.pass(300)
    expect((await signIn(late)).status).toBe(401)
    const intime = await signInAssertion(site, authenticator)
    site.clock.pass(299)
    expect((await signIn(intime)).status).toBe(200)
  })

  test("for one purpose or session proves nothing for another, nor does one that nobody issued", async () => {
    const { authenticator } = await enrolPasskey(site, ana)
    const other = { ...ana, token: (await signIn(await signInAssertion(site, authenticator))).json.token as string }
    expect((await stepUp({ credential: await signInAssertion(site, authenticator) })).status).toBe(401)
    expect((await signIn(await stepUpAssertion(site, ana, authenticator))).status).toBe(401)
    expect((await stepUp({ credential: await stepUpAssertion(site, other, authenticator) })).status).toBe(401)
    const invented = authenticator.get(await requestOptions(), { challenge: "A".repeat(43) })
    expect((await signIn(invented)).status).toBe(401)
    expect((await call("POST", "/users/me/recovery-codes")).json.code).toBe("step_up_required")

    await stepUp({ credential: await stepUpAssertion(site, ana, authenticator) })
    await stepUp({ credential: await stepUpAssertion(site, other, authenticator) }, other.token)
    const theirs = newAuthenticator().create(await creationOptions(other.token))
    expect((await add(theirs)).json.code).toBe("second_factor_invalid")
    expect(await passkeys()).toHaveLength(1)
  })

  test("of another person's session adds nothing to one's own account", async () => {
    const bruno = await newPerson(site, `outro-${made}@loja.example`)
    await stepUp()
    await stepUp({ password }, bruno.token)
    const credential = newAuthenticator().create(await creationOptions(bruno.token))
    expect((await add(credential)).json.code).toBe("second_factor_invalid")
  })
})

describe("an assertion is refused, with the same answer to all,", () => {
  const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey

  test.each([
    ["made at another origin", { origin: "http://localhost:3001" }],
    ["made at a look-alike", { origin: "https://localhost.ladrao.example" }],
    ["for another relying party", { rpId: "ladrao.example" }],
    ["by an authenticator that recognised nobody", { isVerified: false }],
    ["signed by another key", { key: stranger }],
    ["with another person's user handle", { userHandle: "A".repeat(43) }],
    ["without a user handle", { userHandle: null }],
  ])("%s", async (_name, deviation) => {
    const { authenticator } = await enrolPasskey(site, ana)
    const unknown = await signIn(newAuthenticator().get(await requestOptions()))
    const reply = await signIn(authenticator.get(await requestOptions(), deviation))
    expect(reply.status).toBe(401)
    expect({ ...reply.json }).toEqual(unknown.json)
    expect((await signIn(authenticator.get(await requestOptions()))).status).toBe(200)
  })

  test("whose counter didn't grow, of which the audit tells", async () => {
    const { authenticator } = await enrolPasskey(site, ana)
    const at = async (signCount: number) =>
      (await signIn(authenticator.get(await requestOptions(), { signCount }))).status
    expect([await at(0), await at(0), await at(7)]).toEqual([200, 200, 200])
    for (const signCount of [7, 6, 0]) expect(await at(signCount)).toBe(401)
    expect(await at(8)).toBe(200)
    expect((await actions()).filter((action) => action === "second_factor.copied")).toHaveLength(3)
  })

  test("of somebody who was inactivated, who hears why", async () => {
    const { authenticator } = await enrolPasskey(site, ana)
    await site.db.updateTable("users").set({ active: false }).where("id", "=", ana.id).execute()
    expect((await signIn(await signInAssertion(site, authenticator))).json.code).toBe("account_disabled")
    const forged = authenticator.get(await requestOptions(), { key: stranger })
    expect((await signIn(forged)).json.code).toBe("second_factor_invalid")
  })

  test("in a step-up by another person's passkey", async () => {
    await enrolPasskey(site, ana)
    const bruno = await newPerson(site, `outro-${made}@loja.example`)
    const { authenticator } = await enrolPasskey(site, bruno)
    const options = (await call("POST", "/auth/step-up/options")).json.data.publicKey
    expect((await stepUp({ credential: authenticator.get(options) })).json.code).toBe("second_factor_invalid")
    expect((await stepUp({ credential: authenticator.get(options, { userHandle: null }) })).status).toBe(401)
  })

  test("ten times of one passkey from one network, and then not even looked at", async () => {
    const { authenticator } = await enrolPasskey(site, ana)
    const forged = async () => signIn(authenticator.get(await requestOptions(), { key: stranger }), "198.51.100.9")
    for (const status of [...Array<number>(10).fill(401), 429]) expect((await forged()).status).toBe(status)
    const right = await signInAssertion(site, authenticator)
    expect((await signIn(right, "198.51.100.9")).status).toBe(429)
    expect((await signIn(right, "198.51.100.10")).status).toBe(200)
    expect((await logIn()).json.code).toBe("second_factor_required")
  })
})

describe("a new passkey is refused", () => {
  test.each([
    ["made at another origin", { origin: "http://127.0.0.1:3000" }],
    ["for another relying party", { rpId: "ladrao.example" }],
    ["by an authenticator that recognised nobody", { isVerified: false }],
  ])("%s", async (_name, deviation) => {
    await stepUp()
    const reply = await add(newAuthenticator().create(await creationOptions(), deviation))
    expect(reply.json.code).toBe("second_factor_invalid")
    expect(await passkeys()).toEqual([])
  })

  test("never for the statement about its make: its certificates name addresses that would be fetched", async () => {
    await stepUp()
    const credential = newAuthenticator().create(await creationOptions(), { format: "android-key" })
    expect((await add(credential)).status).toBe(201)
  })

  test("that is sent a second time, or late, or isn't CBOR", async () => {
    await stepUp()
    const credential = newAuthenticator().create(await creationOptions())
    expect((await add(credential)).status).toBe(201)
    expect((await add(credential)).json.code).toBe("second_factor_invalid")
    const bruno = await newPerson(site, `outro-${made}@loja.example`)
    await stepUp({ password }, bruno.token)
    const broken = newAuthenticator().create(await creationOptions(bruno.token))
    broken.response.attestationObject = "oWNmbXQ"
    expect((await add(broken, "x", bruno.token)).json.code).toBe("second_factor_invalid")
    const late = newAuthenticator().create(await creationOptions(bruno.token))
    site.clock.pass(300)
    await stepUp({ password }, bruno.token)
    expect((await add(late, "x", bruno.token)).json.code).toBe("second_factor_invalid")
  })
})

test("after ten guesses at the password the owner still gets in by passkey, and with codes of the app not", async () => {
  const { secret } = await enrolTotp(site, ana)
  const { authenticator } = await enrolPasskey(site, ana)
  for (let count = 0; count < 10; count += 1) await logIn({ password: "outra-senha" })
  site.clock.pass(60)
  expect((await logIn({ code: codeOf(secret, site.clock.now()) })).status).toBe(429)
  expect((await signIn(await signInAssertion(site, authenticator), "127.0.0.1")).status).toBe(200)
})

test("an installation whose public address is a number has no passkeys, and says so", async () => {
  const numbered = await openTestApp({ publicUrl: "http://127.0.0.1:3000" })
  try {
    const bruno = await newPerson(numbered, "bruno@loja.example")
    const { token } = bruno
    const listed = await numbered.call("GET", "/api/v1/users/me/passkeys", { token })
    expect(listed.json.data).toEqual({ passkeys: [], origin: null })
    await numbered.call("POST", "/api/v1/auth/step-up", { token, body: { password } })
    for (const path of ["/users/me/passkeys/options", "/auth/passkeys/options"]) {
      const reply = await numbered.call("POST", `/api/v1${path}`, { token })
      expect(reply).toMatchObject({ status: 409, json: { code: "passkeys_unavailable" } })
    }
    await enrolPasskey(numbered, bruno)
    const [kept] = (await numbered.call("GET", "/api/v1/users/me/passkeys", { token })).json.data.passkeys
    expect(kept.answersHere).toBe(false)
  } finally {
    await numbered.close()
  }
})
