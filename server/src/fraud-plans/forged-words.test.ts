import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { openForgery, refused } from "../../test-support/forgery.ts"
import type { Administrator, Victim } from "../../test-support/fraud-plan.ts"

const forgery = await openForgery()
const { plan, chief, deputy, by, forge, now, approve, bothAreTold, expectNothingLeaves } = forgery
let victim: Victim
const asked = (amount: number, destination?: object) => forgery.asked(victim, amount, destination)
const balance = () => forgery.balanceOf(victim)

beforeEach(async () => {
  victim = await forgery.newVictim()
})

afterAll(() => plan.close())

describe("a second person's word", () => {
  test("that is forged doesn't count: whoever asks next is the first", async () => {
    const rewritings = [
      `asked_by = '${deputy.id}'`,
      "asked_at = asked_at + interval '1 second'",
      "expires_at = expires_at + interval '1 day'",
      `id = '${newId()}', asked_by = '${deputy.id}'`,
      `mac = null, asked_by = '${deputy.id}'`,
      "subject_name = 'Padaria da Ana'",
      "changes = '[]'",
    ]
    const id = await asked(7_000)
    for (const change of rewritings) {
      await plan.db.deleteFrom("second_approvals").execute()
      const first = { status: "pending", approvals: 1 }
      expect((await approve(chief, id)).json.data.withdrawal).toMatchObject(first)
      await forge(`update second_approvals set ${change}`)
      expect((await approve(chief, id)).json.data.withdrawal).toMatchObject(first)
      expect(await approve(chief, id)).toMatchObject({ status: 409, json: { code: "second_approver_needed" } })
    }
    await bothAreTold("primeira de duas aprovações")
    await expectNothingLeaves()
    expect((await approve(deputy, id)).json.data.withdrawal.status).toBe("approved")
    expect(await plan.left()).toEqual([`payout 7000 to ${victim.id}@loja.example`])
  })

  test("about a setting and a user that is forged changes neither", async () => {
    const change = async () => {
      const token = await plan.freshSessionOf(chief, "admin")
      return plan.call("PATCH", "/api/v1/settings/TRANSACTION_FEE_PERCENTAGE", { token, body: { value: 99 } })
    }
    const token = await plan.freshSessionOf(chief, "admin")
    await plan.call("POST", "/api/v1/settings/initialize", { token })
    const promote = () => by(chief, "PATCH", `users/${victim.id}`, { role: "admin" })
    for (const act of [change, promote]) {
      expect((await act()).json.data.pending).toBe(true)
      await forge(`update second_approvals set asked_by = '${deputy.id}'`)
      expect((await act()).json.data.pending).toBe(true)
    }
  })
})

describe("a journal entry", () => {
  const propose = async (by_ = chief) => {
    const body = { kind: "correction", direction: "credit", amount: 10, sellerId: victim.id, reason: "Engano" }
    return (await by(by_, "POST", "journal", body)).json.data.entry._id as string
  }
  const agree = (admin: Administrator, id: string) => by(admin, "PATCH", `journal/${id}/approve`)

  test("that is rewritten isn't booked, and can be refused", async () => {
    const rewritings = [
      "amount_cents = 900000",
      "kind = 'yield', direction = null, seller_id = null",
      "direction = 'debit'",
      "provider = 'outro'",
      "reason = 'Bônus'",
      "reverses = 'E1'",
      "created_at = created_at - interval '1 second'",
      "mac = null",
    ]
    const before = await balance()
    for (const change of rewritings) {
      const id = await propose()
      await forge(`update manual_entries set ${change} where id = '${id}'`)
      expect(await agree(deputy, id)).toMatchObject(refused)
      await by(deputy, "PATCH", `journal/${id}/refuse`)
    }
    await bothAreTold("lançamento manual")
    expect(await balance()).toBe(before)
  })

  test("whose author is rewritten isn't booked by its true one, nor is an inserted one", async () => {
    const before = await balance()
    const id = await propose()
    await forge(`update manual_entries set created_by = '${deputy.id}' where id = '${id}'`)
    expect(await agree(chief, id)).toMatchObject(refused)
    const inserted = newId()
    await forge(`insert into manual_entries (id, kind, direction, amount_cents, provider, seller_id, reason, created_by, created_at)
      values ('${inserted}', 'correction', 'credit', 5000, 'simulator', '${victim.id}', 'x', '${deputy.id}', ${now()})`)
    expect(await agree(chief, inserted)).toMatchObject(refused)
    expect(await balance()).toBe(before)
  })

  test("that is honest is booked once by two who agree at once", async () => {
    const before = await balance()
    const id = await propose()
    const replies = await Promise.all([agree(deputy, id), agree(deputy, id)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await balance()).toBe(before + 10)
  })
})

describe("a word on a payout without an answer", () => {
  const word = { outcome: "not_paid", endToEndId: null, reason: "O banco encerrou a conta" }

  async function unanswered(): Promise<string> {
    const id = await asked(100)
    await approve(chief, id)
    await plan.db
      .updateTable("withdrawals")
      .set({
        status: "processing",
        provider: "simulator",
        sent_at: plan.clock.now(),
        next_attempt_at: plan.clock.now(),
      })
      .where("id", "=", id)
      .execute()
    await forge(
      `update ledger_accounts set balance_cents = balance_cents - 10000 where id = 'seller-held:${victim.id}'`,
      "insert into ledger_accounts (id, kind, balance_cents) values ('payouts-under-way:simulator', 'payouts-under-way', 10000) on conflict (id) do update set balance_cents = ledger_accounts.balance_cents + 10000",
    )
    plan.clock.pass(2 * 86_400)
    return id
  }
  const settle = (admin: Administrator, id: string, body: object = word) =>
    by(admin, "PATCH", `withdrawals/${id}/settle`, body)

  test.each([
    ["said by another", `proposed_by = '${deputy.id}'`],
    ["confirmed", `confirmed_by = '${deputy.id}'`],
    ["without its MAC", `mac = null, proposed_by = '${deputy.id}'`],
    ["said earlier", `proposed_at = proposed_at - interval '1 hour', proposed_by = '${deputy.id}'`],
  ])("that is %s doesn't count", async (_how, change) => {
    const before = await balance()
    const id = await unanswered()
    expect((await settle(chief, id)).json.data.settled).toBe(false)
    await forge(`update hand_settlements set ${change} where subject_id = '${id}'`)
    expect((await settle(chief, id)).json.data.settled).toBe(false)
    await bothAreTold("baixa manual de saque ou estorno")
    expect(await balance()).toBe(before - 100)
    expect((await settle(deputy, id)).json.data.settled).toBe(true)
    expect(await balance()).toBe(before)
  })

  test("that is inserted doesn't count, nor any about a rewritten withdrawal", async () => {
    const id = await unanswered()
    await forge(`insert into hand_settlements (subject_id, subject, outcome, reason, proposed_by, proposed_at)
      values ('${id}', 'withdrawal', 'not_paid', 'x', '${deputy.id}', ${now()})`)
    expect((await settle(chief, id)).json.data.settled).toBe(false)
    const other = await unanswered()
    await forge(`update withdrawals set amount_cents = 900000 where id = '${other}'`)
    for (const admin of [chief, deputy]) expect(await settle(admin, other)).toMatchObject(refused)
    await bothAreTold("aprovação de saque")
  })
})
