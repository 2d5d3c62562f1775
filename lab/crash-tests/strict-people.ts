import { codeOf } from "../../server/test-support/enrol-totp.ts"
import { eventually } from "./eventually.ts"
import { administrator } from "./installation.ts"
import { type Answer, expectStatus, openShop, password, type Shop, send, sendJson, untilNotBusy } from "./shop.ts"

/** A person at a strict server, whose session is fresh for five minutes. */
export interface Person {
  email: string
  token: string
}

interface Mail {
  subject: string
  text: string
}

type Method = "GET" | "POST" | "PATCH"

let slowestMs = 0

/** From the end of an act until its mails were all there, at most. */
export function slowestHearingMs(): number {
  return slowestMs
}

export function ask(url: string, { token }: Person, method: Method, path: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}` }
  if (method === "GET") return untilNotBusy(() => send(`${url}/api/v1/${path}`, { headers }))
  return untilNotBusy(() => sendJson(`${url}/api/v1/${path}`, method, body ?? {}, headers))
}

async function mailsTo(url: string, email: string): Promise<Mail[]> {
  const answer = await send(`${url}/simulador/api/emails?to=${encodeURIComponent(email)}`)
  return expectStatus(answer, 200).emails as Mail[]
}

/**
 * Does something and waits until each of these mails is there, which must be within ten seconds of the act's end. Mails of
 * before don't count.
 */
export async function hearsOf<Done>(
  url: string,
  expected: readonly { email: string; subject: string }[],
  act: () => Promise<Done>,
): Promise<{ done: Done; texts: string[] }> {
  const emails = [...new Set(expected.map(({ email }) => email))]
  const all = async () => new Map(await Promise.all(emails.map(async (to) => [to, await mailsTo(url, to)] as const)))
  const before = await all()
  const fresh = (mails: Map<string, Mail[]>, email: string) => {
    const older = before.get(email)?.length ?? 0
    const list = mails.get(email) ?? []
    return list.slice(0, list.length - older)
  }
  const done = await act()
  const begin = performance.now()
  const found = await eventually(
    async () => {
      const mails = await all()
      return expected.map(({ email, subject }) => ({
        text: fresh(mails, email).find((mail) => mail.subject === subject)?.text,
        missing: `${email}: ${subject}`,
        there: fresh(mails, email).map((mail) => mail.subject),
      }))
    },
    (mails) => mails.every(({ text }) => text !== undefined),
  )
  slowestMs = Math.max(slowestMs, Math.round(performance.now() - begin))
  return { done, texts: found.map(({ text = "" }) => text) }
}

/** The newest link of this kind in a person's mails. */
export async function linkTo(url: string, email: string, kind: string): Promise<string> {
  const pattern = new RegExp(`/${kind}/([\\w-]{43})`)
  const path = await eventually(
    async () => (await mailsTo(url, email)).map(({ text }) => pattern.exec(text)?.[0]).find((link) => link),
    (found) => found !== undefined,
  )
  return path ?? ""
}

/** Presses the button of a page without script. */
export async function press(url: string, path: string): Promise<{ status: number; text: string }> {
  const headers = { "content-type": "application/x-www-form-urlencoded" }
  const response = await fetch(url + path, { method: "POST", headers, body: "" })
  return { status: response.status, text: await response.text() }
}

async function logIn(url: string, email: string, secret: string): Promise<string> {
  const enter = () => sendJson(`${url}/api/v1/auth/login`, "POST", { email, password: secret })
  return String(expectStatus(await untilNotBusy(enter), 200).token)
}

/** Each code works once and no older one after it: the first is of the half minute before, the second of this one. */
async function enrol(url: string, email: string, secret: string): Promise<Person> {
  const person = { email, token: await logIn(url, email, secret) }
  expectStatus(await ask(url, person, "POST", "auth/step-up", { password: secret }), 200)
  const { data } = expectStatus(await ask(url, person, "POST", "users/me/totp"), 200)
  const key = (data as { secret: string }).secret
  const code = (steps: number) => codeOf(key, new Date(), steps)
  const confirm = () => ask(url, person, "POST", "users/me/totp/confirm", { code: code(-1) })
  // A busy machine may take until the next half minute, and then that code is too old.
  const first = await confirm()
  expectStatus(first.status === 401 ? await confirm() : first, 200)
  expectStatus(await ask(url, person, "POST", "auth/step-up", { password: secret, code: code(0) }), 200)
  return person
}

/** The first administrator invites the second, which one may do while there is no other. */
export async function openTwoAdministrators(url: string): Promise<[Person, Person]> {
  const chief = await enrol(url, administrator.email, administrator.password)
  const email = "vice@tilinta.example"
  const wish = { name: "Vice", email, role: "admin", active: true }
  expectStatus(await ask(url, chief, "POST", "admin/users", wish), 201)
  await resetByMail(url, email)
  return [chief, await enrol(url, email, password)]
}

async function resetByMail(url: string, email: string): Promise<void> {
  const link = await linkTo(url, email, "reset-password")
  const body = { password, passwordConfirm: password }
  expectStatus(await sendJson(`${url}/api/v1/auth/resetPassword/${link.split("/").at(-1)}`, "PATCH", body), 200)
}

/** A shop whose e-mail is confirmed, and whose session is fresh. */
export async function openStrictShop(url: string, reais: number): Promise<Shop> {
  const shop = await openShop(url, { reais })
  const confirmed = await press(url, await linkTo(url, shop.email, "confirm-email"))
  if (confirmed.status !== 200) throw new Error(`the e-mail was not confirmed: ${confirmed.text}`)
  expectStatus(await ask(url, shop, "POST", "auth/step-up", { password }), 200)
  return shop
}

/** A freeze voids the password, which was the thief's as well: the owner's new session comes by mail. */
export async function logInAgain(url: string, shop: Shop): Promise<Shop> {
  expectStatus(await sendJson(`${url}/api/v1/auth/forgotPassword`, "POST", { email: shop.email }), 200)
  await resetByMail(url, shop.email)
  return { ...shop, token: await logIn(url, shop.email, password) }
}
