import type { InjectOptions } from "fastify"
import { secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { hashOfToken, newToken } from "#kit/secrets"
import { hashPassword } from "#people/users/passwords"
import { enrolTotp } from "./enrol-totp.ts"
import { type ExpectListed, type ExpectTold, expectListed, expectTold } from "./expect-told.ts"
import { giveBalance } from "./give-balance.ts"
import { insertWithdrawals } from "./insert-withdrawals.ts"
import { openListedBank } from "./listed-bank.ts"
import { rewriteSessions, signedSession } from "./rewrite-sessions.ts"
import { saveSetting } from "./save-setting.ts"
import { openTestApp, sellerForm, type TestApp } from "./test-app.ts"

export interface Player {
  id: string
  email: string
  token: string
}

type Method = InjectOptions["method"]

/**
 * A platform under strict protection that is older than its first week, with two administrators. Its bank lists no disputes,
 * so that people register and close them.
 */
export interface TwoAdmins extends TestApp {
  chief: Player
  deputy: Player
  /** An administrator whose rights have begun. */
  admin(): Promise<Player>
  /** A seller with 100,000.00 who has withdrawn to their key before. */
  seller(): Promise<Player>
  /** A call by somebody who has just confirmed who they are, as a thief of everything could. */
  act(person: Player, method: Method, path: string, body?: object): ReturnType<TestApp["call"]>
  /** Another session of the same person. */
  secondSessionOf(person: Player): Promise<Player>
  requested(seller: Player, reais: number, body?: object): Promise<string>
  approve(admin: Player, id: string): ReturnType<TestApp["call"]>
  statusOf(withdrawalId: string): Promise<string>
  /** Withdrawals that were approved, whatever became of them. */
  countApproved(seller: Player): Promise<number>
  /** Runs the jobs that send; returns what left since the last time, as `payout 100 to ana@loja.example`. */
  left(): Promise<string[]>
  /** A mail and a notice within ten seconds; see `expectTold`. */
  expectTold: ExpectTold
  /** A notice alone. */
  expectListed: ExpectListed
  /** Takes back every wish that waits. */
  forgetApprovals(): Promise<void>
}

let made = 0

export async function openTwoAdmins(): Promise<TwoAdmins> {
  const bank = openListedBank(() => site.clock.now())
  const site = await openTestApp({ protection: "strict", psp: { ...bank.psp, disputes: null } })
  const passwordHash = await hashPassword(sellerForm.password)

  async function join(role: "user" | "admin"): Promise<Player> {
    made += 1
    const id = newId()
    const email = `pessoa-${made}@loja.example`
    const now = site.clock.now()
    const about = { name: `Pessoa ${made}`, email, email_key: email, password_hash: passwordHash, role }
    await site.db
      .insertInto("users")
      .values({
        id,
        ...about,
        cpf: "",
        phone: "",
        address: "{}",
        created_at: now,
        updated_at: now,
        admin_rights_from: null,
        email_state: "confirmed",
      })
      .execute()
    const person = await secondSessionOf({ id, email, token: "" })
    if (role === "admin") await enrolTotp(site, person)
    return person
  }

  async function secondSessionOf({ id, email }: Player): Promise<Player> {
    const token = newToken()
    const now = site.clock.now()
    const times = { created_at: now, last_used_at: now, expires_at: secondsAfter(now, 3600), stepped_up_at: now }
    await site.db
      .insertInto("sessions")
      .values(signedSession({ id: newId(), token_hash: hashOfToken(token), user_id: id, ...times }))
      .execute()
    return { id, email, token }
  }

  async function act({ token }: Player, method: Method, path: string, body?: object) {
    const now = site.clock.now()
    const times = { stepped_up_at: now, last_used_at: now, expires_at: secondsAfter(now, 3600) }
    await rewriteSessions(site.db, { token }, times)
    return site.call(method, `/api/v1${path}`, { token, ...(body && { body }) })
  }

  const [chief, deputy] = [await join("admin"), await join("admin")]
  site.clock.pass(8 * 86_400)
  await saveSetting(site.db, "NEW_DESTINATION_HOLD_HOURS", 0)
  return {
    ...site,
    ...{ chief, deputy, act, secondSessionOf },
    admin: () => join("admin"),
    async seller() {
      const seller = await join("user")
      await giveBalance(site.db, seller.id, 10_000_000)
      await insertWithdrawals(site.db, [
        { sellerId: seller.id, status: "completed", at: secondsAfter(site.clock.now(), -7 * 86_400) },
      ])
      return seller
    },
    async requested(seller, amount, body = { paymentMethod: "pix", pixKey: seller.email }) {
      const { json } = await act(seller, "POST", "/withdrawals", { amount, ...body })
      return json.data.withdrawal._id
    },
    approve: (admin, id) => act(admin, "PATCH", `/admin/withdrawals/${id}/approve`),
    async statusOf(id) {
      const row = site.db.selectFrom("withdrawals").select("status").where("id", "=", id)
      return (await row.executeTakeFirstOrThrow()).status
    },
    async countApproved({ id }) {
      const rows = site.db.selectFrom("withdrawals").select("id").where("seller_id", "=", id)
      return (await rows.where("decided_by", "is not", null).where("approved_at", "is not", null).execute()).length
    },
    left: () => bank.left(site),
    expectTold: (person, subject, told) => expectTold(site, person, subject, told),
    expectListed: (person, title) => expectListed(site, person, title),
    async forgetApprovals() {
      await site.db.deleteFrom("second_approvals").execute()
    },
  }
}
