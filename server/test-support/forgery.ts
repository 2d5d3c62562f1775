import type { InjectOptions } from "fastify"
import { expect } from "vitest"
import { tamper } from "./as-owner.ts"
import { type Administrator, openFraudPlan, type Victim } from "./fraud-plan.ts"

export const refused = { status: 409, json: { code: "order_not_authentic" } }

export const byTransfer = {
  paymentMethod: "bank_transfer",
  bankData: { bank: "Itaú", agency: "7777", account: "12345-6", accountType: "corrente" },
}

/** A fraud plan with two administrators, whose database somebody else owns. */
export async function openForgery() {
  const plan = await openFraudPlan()
  const chief = await plan.administrator()
  const deputy = await plan.administrator()

  async function by(admin: Administrator, method: InjectOptions["method"], path: string, body?: object) {
    const token = await plan.freshSessionOf(admin, "admin")
    return plan.call(method, `/api/v1/admin/${path}`, { token, ...(body && { body }) })
  }

  return {
    ...{ plan, chief, deputy, by },
    /** Statements of the database's owner, past all triggers. */
    forge: (...statements: string[]) => tamper(plan.database, ...statements),
    now: () => `'${plan.clock.now().toISOString()}'::timestamptz`,
    approve: (admin: Administrator, id: string) => by(admin, "PATCH", `withdrawals/${id}/approve`),
    shown: async (id: string) => (await by(chief, "GET", `withdrawals/${id}`)).json.data.withdrawal,
    /** A seller with R$ 21.000,00, nine days later. */
    async newVictim(): Promise<Victim> {
      await plan.db.deleteFrom("second_approvals").execute()
      plan.clock.pass(9 * 86_400)
      const victim = await plan.victim()
      await plan.give(victim, 2_000_000)
      return victim
    },
    /** A withdrawal whose waits are over. */
    async asked(victim: Victim, amount: number, destination?: object): Promise<string> {
      const token = await plan.freshSessionOf(victim)
      const pix = { paymentMethod: "pix", pixKey: `${victim.id}@loja.example` }
      const body = { amount, ...(destination ?? pix) }
      const { json } = await plan.call("POST", "/api/v1/withdrawals", { token, body })
      plan.clock.pass(25 * 3_600)
      return json.data.withdrawal._id
    },
    async balanceOf(victim: Victim): Promise<number> {
      const token = await plan.freshSessionOf(victim)
      return (await plan.call("GET", "/api/v1/users/me", { token })).json.data.user.balance
    },
    async bothAreTold(what: string): Promise<void> {
      for (const admin of [chief, deputy]) {
        await plan.expectTold(admin, `Dinheiro parado: ${what} não é como foi registrado`)
      }
    },
    /** Two runs of the jobs, an hour apart: nothing left, whatever the bank was asked. */
    async expectNothingLeaves(): Promise<void> {
      for (const seconds of [0, 3_700]) {
        plan.clock.pass(seconds)
        expect(await plan.left()).toEqual([])
        await plan.settlePayouts()
        expect(plan.sent).toEqual([])
      }
    },
  }
}
