import { newId } from "#kit/ids"
import { hashOfToken } from "#kit/secrets"
import { issueNotMeLink } from "#people/freezes/freeze"
import { markSteppedUp, openSession } from "#people/sessions/sessions"
import { hashPassword } from "#people/users/passwords"
import type { PspPayoutRequest } from "#psp/psp"
import { enrolTotp } from "./enrol-totp.ts"
import { type ExpectListed, type ExpectTold, expectListed, expectTold } from "./expect-told.ts"
import { giveBalance } from "./give-balance.ts"
import { openListedBank } from "./listed-bank.ts"
import { deliverAllMails, type deliverMails } from "./mail-delivery.ts"
import { openTestApp, sellerForm, type TestApp } from "./test-app.ts"

export interface Victim {
  id: string
  email: string
  token: string
}

export interface Administrator extends Victim {
  /** Shared with the authenticator app. */
  secret: string
}

/** A platform with strict protection, real HTTP answers, and a bank that keeps a list of what left. */
interface FraudPlan extends TestApp {
  /** The payouts that left since `left` was last asked. */
  sent: PspPayoutRequest[]
  /** Runs the jobs that send; returns what left since the last time, as `payout 100 to ana@loja.example`. */
  left(): Promise<string[]>
  /** Runs right before the bank takes a payout, once. */
  whileSending(work: () => Promise<unknown>): void
  /** Runs when a worker has taken a payout and asks the bank whether it knows it, once. */
  whileAsking(work: () => Promise<unknown>): void
  /** A seller with 1,000.00 and a session that isn't fresh. */
  victim(changes?: { cpf?: string }): Promise<Victim>
  give(person: Pick<Victim, "id">, cents: number): Promise<void>
  /** An administrator with a second factor and a fresh session. */
  administrator(): Promise<Administrator>
  /** Another session of the same person, as a thief of the token would have. */
  sessionOf(person: Victim, role?: "user" | "admin"): Promise<string>
  freshSessionOf(person: Victim, role?: "user" | "admin"): Promise<string>
  /** Makes the session fresh for five minutes from now, as a step-up does. */
  makeFresh(token: string): Promise<void>
  /** One run of the job that sends payouts. */
  sendPayouts(): Promise<void>
  /** One run of the job that asks about those without an outcome, and sends what the bank has never heard of. */
  settlePayouts(): Promise<void>
  mailsTo(person: Victim): ReturnType<typeof deliverMails>
  /** A mail and a notice within ten seconds; see `expectTold`. */
  expectTold: ExpectTold
  /** A notice alone. */
  expectListed: ExpectListed
  /** The newest mail's path behind 'Não fui eu'. */
  notMePath(person: Victim): Promise<string>
  /** The path of a link that some mail carries. */
  newNotMePath(person: Victim): Promise<string>
  press(path: string, from?: string): ReturnType<TestApp["call"]>
  /** As whoever reads the mailbox does: 'Esqueceu sua senha?', and the link. */
  resetPassword(person: Pick<Victim, "email">, password?: string): Promise<void>
}

const thief = { address: "203.0.113.66", userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0" }

export async function openFraudPlan(): Promise<FraudPlan> {
  const bank = openListedBank(() => site.clock.now())
  const site = await openTestApp({ psp: bank.psp, protection: "strict" })
  const passwordHash = await hashPassword(sellerForm.password)

  async function person(role: "user" | "admin", cpf: string = sellerForm.cpf): Promise<Victim> {
    const id = newId()
    const email = `${id}@loja.example`
    const { name, phone, address } = sellerForm
    const row = { id, name, email, email_key: email, password_hash: passwordHash, cpf, phone, role }
    await site.db
      .insertInto("users")
      .values({ ...row, email_state: "confirmed", address: JSON.stringify(address), created_at: site.clock.now() })
      .execute()
    return { id, email, token: await sessionOf({ id }, role) }
  }

  async function sessionOf({ id }: { id: string }, role: "user" | "admin" = "user"): Promise<string> {
    return site.db.transaction().execute((tx) => openSession(tx, { id, role }, thief, site.clock.now()))
  }

  async function makeFresh(token: string): Promise<void> {
    const session = site.db.selectFrom("sessions").select("user_id as id").where("token_hash", "=", hashOfToken(token))
    const owner = { ...(await session.executeTakeFirstOrThrow()), address: thief.address }
    await site.db.transaction().execute((tx) => markSteppedUp(tx, { owner, token }, site.clock.now()))
  }

  return {
    ...site,
    ...{ sessionOf, makeFresh, sent: bank.sent, whileSending: bank.whileSending, whileAsking: bank.whileAsking },
    left: () => bank.left(site),
    give: ({ id }, cents) => giveBalance(site.db, id, cents),
    async freshSessionOf(person, role) {
      const token = await sessionOf(person, role)
      await makeFresh(token)
      return token
    },
    async victim({ cpf } = {}) {
      const victim = await person("user", cpf)
      await giveBalance(site.db, victim.id, 100_000)
      return victim
    },
    async administrator() {
      const admin = await person("admin")
      const { secret } = await enrolTotp(site, admin)
      await makeFresh(admin.token)
      return { ...admin, secret }
    },
    sendPayouts: () => bank.sendPayouts(site),
    settlePayouts: () => bank.settlePayouts(site),
    mailsTo: ({ email }) => deliverAllMails(site, email),
    expectTold: (person, subject, told) => expectTold(site, person, subject, told),
    expectListed: (person, title) => expectListed(site, person, title),
    async notMePath({ email }) {
      const mails = await deliverAllMails(site, email)
      const path = mails.map(({ text }) => /\/not-me\/[\w-]{43}/.exec(text)?.[0]).find((found) => found !== undefined)
      if (path === undefined)
        throw new Error(`no mail to the owner has a link: ${mails.map(({ subject }) => subject).join()}`)
      return path
    },
    async newNotMePath({ id }) {
      const token = await site.db.transaction().execute((tx) => issueNotMeLink(tx, id, site.clock.now()))
      return `/not-me/${token}`
    },
    async resetPassword({ email }, password = sellerForm.password) {
      await site.call("POST", "/api/v1/auth/forgotPassword", { body: { email } })
      const texts = (await deliverAllMails(site, email)).map(({ text }) => text).join("\n")
      const link = /reset-password\/([\w-]{43})/.exec(texts)?.[1]
      const body = { password, passwordConfirm: password }
      const { status, text } = await site.call("PATCH", `/api/v1/auth/resetPassword/${link}`, { body })
      if (status !== 200) throw new Error(`the password was not reset: ${text}`)
    },
    press: (path, from) =>
      site.call("POST", path, {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        ...(from !== undefined && { from }),
      }),
  }
}
