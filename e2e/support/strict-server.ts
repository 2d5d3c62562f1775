import { setTimeout as sleep } from "node:timers/promises"
import { type APIRequestContext, type APIResponse, expect } from "@playwright/test"
import { TOTP } from "otpauth"
import { admin, logIn, newEmail, password, type Seller, signUp } from "./api.ts"
import type { Installation } from "./installation.ts"
import { linkFromMail } from "./mails.ts"
import { forWorker, installationWith, ownServerTest } from "./own-server.ts"

type Person = Pick<Seller, "email" | "password" | "token">

/** An administrator with a second factor. */
export interface Enrolled extends Person {
  secret: string
  /** The half minute whose code was used last. */
  spent: number
  /** Confirms who they are, where that was too long ago. */
  freshen(request: APIRequestContext): Promise<void>
  /** Sends a call in a session that was just confirmed. */
  act(request: APIRequestContext, method: "POST" | "PATCH", path: string, data?: object): Promise<unknown>
}

interface StrictServer {
  admins: { chief: Enrolled; deputy: Enrolled }
}

/** A server of its own where protection is strict, with two administrators. */
export const strictTest = ownServerTest.extend<object, StrictServer & { installation: Installation }>({
  installation: [installationWith({ PROTECTION: "strict" }), forWorker],
  admins: [
    async ({ playwright, installation }, use) => {
      const request = await playwright.request.newContext({ baseURL: installation.url })
      const chief = await enrol(request, admin)
      await use({ chief, deputy: await enrol(request, await invite(request, chief)) })
      await request.dispose()
    },
    forWorker,
  ],
})

/** A seller whose e-mail is confirmed, and whose session is fresh for five minutes. */
export async function signUpConfirmed(request: APIRequestContext): Promise<Seller> {
  const seller = await signUp(request)
  await pressForm(request, await linkFromMail(request, seller.email, "confirm-email"))
  await stepUp(request, seller)
  return seller
}

/** The button of a page that needs no script. */
export async function pressForm(request: APIRequestContext, link: string): Promise<void> {
  expect((await request.post(link, { form: {} })).status()).toBe(200)
}

export async function stepUp(request: APIRequestContext, person: Person, code?: string): Promise<void> {
  await call(request, person, "POST", "/api/v1/auth/step-up", { password: person.password, ...(code && { code }) })
}

async function call(
  request: APIRequestContext,
  { token }: Person,
  method: "POST" | "PATCH",
  path: string,
  data: object = {},
): Promise<unknown> {
  const answer = await request.fetch(path, { method, headers: { Authorization: `Bearer ${token}` }, data })
  return bodyOf(answer)
}

async function bodyOf(answer: APIResponse): Promise<unknown> {
  if (!answer.ok()) throw new Error(`${answer.url()} answered ${answer.status()}: ${await answer.text()}`)
  return answer.json()
}

/** The first administrator is alone, so that one word is enough for the second. */
async function invite(request: APIRequestContext, chief: Enrolled): Promise<Pick<Seller, "email" | "password">> {
  const email = newEmail()
  await chief.act(request, "POST", "/api/v1/admin/users", { name: "Bruno Dias", email, role: "admin" })
  const token = (await linkFromMail(request, email)).split("/").at(-1)
  const data = { password, passwordConfirm: password }
  await bodyOf(await request.patch(`/api/v1/auth/resetPassword/${token}`, { data }))
  return { email, password }
}

async function enrol(request: APIRequestContext, who: Pick<Seller, "email" | "password">): Promise<Enrolled> {
  const person = { email: who.email, password: who.password, token: await logIn(request, who) }
  await stepUp(request, person)
  const begun = (await call(request, person, "POST", "/api/v1/users/me/totp")) as { data: { secret: string } }
  let confirmedAt = 0
  const enrolled: Enrolled = {
    ...person,
    secret: begun.data.secret,
    spent: 0,
    async freshen(context) {
      if (Date.now() - confirmedAt < 3 * 60_000) return
      await withCode(enrolled, (code) => stepUp(context, person, code))
      confirmedAt = Date.now()
    },
    async act(context, method, path, data) {
      await enrolled.freshen(context)
      return call(context, person, method, path, data)
    },
  }
  await withCode(enrolled, (code) => call(request, person, "POST", "/api/v1/users/me/totp/confirm", { code }))
  return enrolled
}

/** On a busy machine a code may be too old when it arrives: the next one isn't. */
async function withCode(person: Enrolled, use: (code: string) => Promise<unknown>): Promise<void> {
  const attempt = async () => use(await nextCode(person))
  await attempt().catch(attempt)
}

/** A code counts once, none older than the last counts, and each counts half a minute early and late. */
async function nextCode(person: Enrolled): Promise<string> {
  const step = () => Math.floor(Date.now() / 30_000)
  person.spent = Math.max(step() - 1, person.spent + 1)
  while (person.spent > step() + 1) await sleep(500)
  return new TOTP({ secret: person.secret }).generate({ timestamp: person.spent * 30_000 })
}
