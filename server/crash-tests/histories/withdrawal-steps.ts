import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import type { Answer } from "../shop.ts"
import { availableBounds, mostAtOnceCents, type SellerBooks, type Withdrawal } from "./seller-books.ts"
import { pickFrom, type Step, step } from "./step.ts"
import { call, callAsAdmin, type World } from "./world.ts"

interface Wish {
  /** Thousandths of the available balance; above a thousand is more than there is. */
  permille: number
  byPix: boolean
  isRefusedByBank: boolean
  /** Parallel requests, each with its own key. */
  atOnce: number
  /** Sent again with the same key. */
  isRepeated: boolean
}

const bankData = { bank: "001", agency: "0001", account: "12345-6", accountType: "corrente" }

export function withdraw(wish: Wish): Step {
  return step(`withdraw ${JSON.stringify(wish)}`, async (books, world) => {
    const bounds = availableBounds(books)
    const wished = Math.ceil((bounds.most * wish.permille) / 1000)
    const amountCents = Math.min(Math.max(wished, 1), mostAtOnceCents)
    const keys = Array.from({ length: wish.atOnce }, () => randomUUID())
    const answers = await Promise.all(keys.map((key) => request(world, books, wish, { amountCents, key })))
    const accepted = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const { status, body } of refused) {
      expect(`${status} ${String(body["message"])}`).toMatch(/^422 Saldo insuficiente/)
    }
    expect(accepted.length).toBeGreaterThanOrEqual(Math.min(wish.atOnce, Math.floor(bounds.least / amountCents)))
    expect(accepted.length).toBeLessThanOrEqual(Math.floor(bounds.most / amountCents))
    for (const each of accepted) books.withdrawals.push(withdrawalOf(each, wish, amountCents))
    if (wish.isRepeated) await repeat(world, books, wish, { amountCents, key: keys[0] ?? "", first: answers[0] })
  })
}

function request(
  world: World,
  { token }: SellerBooks,
  { byPix, isRefusedByBank }: Wish,
  { amountCents, key }: { amountCents: number; key: string },
): Promise<Answer> {
  const pixKey = isRefusedByBank ? "recusado@loja.example" : "ana@loja.example"
  const destination = byPix ? { paymentMethod: "pix", pixKey } : { paymentMethod: "bank_transfer", bankData }
  return call(world, "POST", "/withdrawals", { body: { amount: amountCents / 100, ...destination }, token, key })
}

async function repeat(
  world: World,
  books: SellerBooks,
  wish: Wish,
  { first, ...same }: { amountCents: number; key: string; first: Answer | undefined },
): Promise<void> {
  if (first?.status !== 201) return
  const again = await request(world, books, wish, same)
  expect([again.status, idOf(again)]).toEqual([201, idOf(first)])
}

function idOf({ body }: Answer): string {
  return (body["data"] as { withdrawal: { _id: string } }).withdrawal._id
}

function withdrawalOf(answer: Answer, { byPix, isRefusedByBank }: Wish, amountCents: number): Withdrawal {
  return { id: idOf(answer), amountCents, byPix, isRefusedByBank, state: "pending", isSeen: true }
}

export type Decision = "approve" | "reject" | "cancel" | "complete"

/** Decides one after another, or all at the same moment: of the possible decisions exactly one wins. */
export function decide(pick: number, decisions: Decision[]): Step {
  return step(`${decisions.join(" and ")} withdrawal ${pick}`, async (books, world) => {
    const withdrawal = pickFrom(books.withdrawals, pick)
    if (withdrawal === undefined) return
    const possible = decisions.filter((decision) => isPossible(withdrawal, decision))
    const answers = await Promise.all(decisions.map((decision) => send(world, books, withdrawal, decision)))
    const winners = decisions.filter((_, index) => answers[index]?.status === 200)
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(winners).toHaveLength(Math.min(1, possible.length))
    const [winner] = winners
    if (winner !== undefined) settle(world, withdrawal, winner)
  })
}

function isPossible({ state, byPix }: Withdrawal, decision: Decision): boolean {
  return decision === "complete" ? state === "approved" && !byPix : state === "pending"
}

function send(world: World, { token }: SellerBooks, { id }: Withdrawal, decision: Decision): Promise<Answer> {
  return decision === "cancel"
    ? call(world, "PATCH", `/withdrawals/${id}/cancel`, { token })
    : callAsAdmin(world, "PATCH", `/admin/withdrawals/${id}/${decision}`, {})
}

const stateAfter = {
  approve: "approved",
  reject: "rejected",
  cancel: "cancelled",
  complete: "completed",
} as const satisfies Record<Decision, Withdrawal["state"]>

function settle({ totals }: World, withdrawal: Withdrawal, decision: Decision): void {
  withdrawal.state = stateAfter[decision]
  if (decision === "complete") totals.byHand += withdrawal.amountCents
  if (decision !== "approve" || !withdrawal.byPix) return
  withdrawal.isSeen = false
  if (!withdrawal.isRefusedByBank) totals.paidOut += withdrawal.amountCents
}
