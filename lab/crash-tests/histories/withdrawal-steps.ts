import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import { eventually } from "../eventually.ts"
import { type Answer, expectStatus, send as readFromBank, sendJson } from "../shop.ts"
import { untilAtRest } from "./agreement.ts"
import { fund } from "./entry-steps.ts"
import { passADay, passAMinute, settleByHand } from "./hand-settlements.ts"
import type { Word } from "./refund-steps.ts"
import { availableBounds, endOf, mostAtOnceCents, type SellerBooks, sum, type Withdrawal } from "./seller-books.ts"
import { pickFrom, type Step, step } from "./step.ts"
import { bankApi, call, callAsAdmin, count, type World } from "./world.ts"

const patienceMs = 120_000

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
    const bounds = availableBounds(books, world)
    const wished = Math.ceil((bounds.most * wish.permille) / 1000)
    const amountCents = Math.min(Math.max(wished, 1), mostAtOnceCents)
    const asked = askedOf(wish)
    const keys = Array.from({ length: wish.atOnce }, () => randomUUID())
    const answers = await Promise.all(keys.map((key) => request(world, books, asked, { amountCents, key })))
    const accepted = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const { status, body } of refused) {
      expect(`${status} ${String(body["message"])}`).toMatch(/^422 Saldo insuficiente/)
    }
    expect(accepted.length).toBeGreaterThanOrEqual(Math.min(wish.atOnce, Math.floor(bounds.least / amountCents)))
    expect(accepted.length).toBeLessThanOrEqual(Math.floor(bounds.most / amountCents))
    for (const each of accepted) books.withdrawals.push(withdrawalOf(world, each, wish, amountCents))
    if (wish.isRepeated) await repeat(world, books, wish, { amountCents, key: keys[0] ?? "", first: answers[0] })
  })
}

const usualKey = "ana@loja.example"
const refusedKey = "recusado@loja.example"

function askedOf({ byPix, isRefusedByBank }: Wish): { byPix: boolean; pixKey: string } {
  return { byPix, pixKey: isRefusedByBank ? refusedKey : usualKey }
}

function request(
  world: World,
  { token }: SellerBooks,
  { byPix, pixKey }: { byPix: boolean; pixKey: string },
  { amountCents, key }: { amountCents: number; key: string },
): Promise<Answer> {
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
  const again = await request(world, books, askedOf(wish), same)
  expect([again.status, idOf(again)]).toEqual([201, idOf(first)])
}

function idOf({ body }: Answer): string {
  return (body["data"] as { withdrawal: { _id: string } }).withdrawal._id
}

function withdrawalOf(
  world: World,
  answer: Answer,
  { byPix, isRefusedByBank, isUnanswered = false }: Partial<Kind> & Pick<Wish, "byPix" | "isRefusedByBank">,
  amountCents: number,
): Withdrawal {
  count(world, byPix ? "withdrawal by Pix" : "withdrawal by transfer")
  const kind = { byPix, isRefusedByBank, isUnanswered }
  const beginning = { state: "pending", before: "pending", returnedCents: 0, isSeen: true } as const
  return { id: idOf(answer), amountCents, ...kind, ...beginning }
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

function settle(world: World, withdrawal: Withdrawal, decision: Decision): void {
  withdrawal.state = stateAfter[decision]
  if (decision === "complete") {
    count(world, "withdrawal paid by hand")
    world.totals.byHand += withdrawal.amountCents
  }
  if (decision === "reject" || decision === "cancel") count(world, "withdrawal rejected or cancelled")
  if (decision !== "approve" || !withdrawal.byPix) return
  if (withdrawal.isRefusedByBank) count(world, "payout refused by the bank")
  withdrawal.before = "approved"
  withdrawal.isSeen = withdrawal.isUnanswered
}

const unansweredKey = "sem-resposta@loja.example"

/** The bank never says what becomes of a payout to this key. */
export async function openUnansweredKey(world: World): Promise<void> {
  const rule = { tipo: "envio-sem-desfecho", alvo: unansweredKey }
  expectStatus(await sendJson(`${bankApi(world)}/controle/falhas`, "POST", rule), 201)
}

type Kind = Pick<Withdrawal, "byPix" | "isUnanswered" | "isRefusedByBank">

/** A correction comes first where nothing is there. */
async function newWithdrawal(world: World, books: SellerBooks, kind: Kind): Promise<Withdrawal> {
  const wanted = 1_001
  const pixKey = kind.isUnanswered ? unansweredKey : kind.isRefusedByBank ? refusedKey : usualKey
  let answer: Answer
  do {
    await fund(world, books, wanted)
    answer = await request(world, books, { byPix: kind.byPix, pixKey }, { amountCents: wanted, key: randomUUID() })
    // Rules that changed meanwhile may hold some of it.
  } while (answer.status === 422 && String(answer.body["message"]).startsWith("Saldo insuficiente"))
  expectStatus(answer, 201)
  const withdrawal = withdrawalOf(world, answer, kind, wanted)
  books.withdrawals.push(withdrawal)
  return withdrawal
}

async function approvedWithdrawal(world: World, books: SellerBooks, kind: Omit<Kind, "isRefusedByBank">) {
  const withdrawal = await newWithdrawal(world, books, { ...kind, isRefusedByBank: false })
  await decideNow(world, books, withdrawal, "approve")
  return withdrawal
}

async function decideNow(world: World, books: SellerBooks, withdrawal: Withdrawal, decision: Decision): Promise<void> {
  expectStatus(await send(world, books, withdrawal, decision), 200)
  settle(world, withdrawal, decision)
}

/** Chance rarely does it in a short run. */
export function withdrawAndEnd(end: "rejected" | "refused by the bank" | "paid by hand"): Step {
  return step(`a withdrawal is ${end}`, async (books, world) => {
    const isRefusedByBank = end === "refused by the bank"
    const withdrawal = await newWithdrawal(world, books, {
      byPix: isRefusedByBank,
      isRefusedByBank,
      isUnanswered: false,
    })
    const decisions = {
      rejected: ["reject"],
      "paid by hand": ["approve", "complete"],
      "refused by the bank": ["approve"],
    }
    for (const decision of decisions[end] as Decision[]) await decideNow(world, books, withdrawal, decision)
  })
}

/** A transfer that can't be made, or that was made to a wrong account: an admin puts it back into the balance. */
export function returnTransfer(wasPaid: boolean): Step {
  return step(`a transfer ${wasPaid ? "comes back" : "can't be made"}`, async (books, world) => {
    const withdrawal = await approvedWithdrawal(world, books, { byPix: false, isUnanswered: false })
    if (wasPaid) await decideNow(world, books, withdrawal, "complete")
    // Two admins say so at the same moment: it goes back once.
    const say = () =>
      callAsAdmin(world, "PATCH", `/admin/withdrawals/${withdrawal.id}/return`, { reason: "Conta errada" })
    const answers = await Promise.all([say(), say()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    withdrawal.state = "rejected"
    if (wasPaid) {
      withdrawal.returnedCents = withdrawal.amountCents
      world.totals.byHand -= withdrawal.amountCents
    }
    count(world, wasPaid ? "transfer returned after it was paid" : "transfer returned before it was paid")
  })
}

/** The receiver of a Pix sends it back, or a part of it. */
export function sendBack(pick: number, permille: number): Step {
  return step(`the receiver of payout ${pick} sends ${permille} of a thousand back`, async (books, world) => {
    const paid = books.withdrawals.filter(isPaidByPix)
    const withdrawal =
      pickFrom(paid, pick) ?? (await approvedWithdrawal(world, books, { byPix: true, isUnanswered: false }))
    await untilAtRest(world, books)
    withdrawal.state = "completed"
    withdrawal.before = "completed"
    const centavos = Math.max(1, Math.floor((withdrawal.amountCents * permille) / 1000))
    withdrawal.returnedCents = centavos
    withdrawal.isSeen = false
    const wish = { idEnvio: sendIdOf(withdrawal), centavos }
    expectStatus(await sendJson(`${bankApi(world)}/controle/envios-devolvidos`, "POST", wish), 200)
    count(world, `payout sent back, ${centavos === withdrawal.amountCents ? "whole" : "in part"}`)
  })
}

const isPaidByPix = (each: Withdrawal) =>
  each.byPix && each.returnedCents === 0 && endOf(each).status === "completed" && !each.isUnanswered

const sendIdOf = ({ id }: Withdrawal) => id.replaceAll("-", "")

/** The bank never says what became of a payout; people do, and perhaps the bank paid it although they say it didn't. */
export function payoutUnanswered(word: Word, isPaidLate: boolean): Step {
  const late = isPaidLate ? ", and is paid after all" : ""
  return step(`an unanswered payout is settled as ${word}${late}`, async (books, world) => {
    const withdrawal = await approvedWithdrawal(world, books, { byPix: true, isUnanswered: true })
    await untilAtBank(world, withdrawal)
    await passADay(world, withdrawal.id)
    await passAMinute(world, "withdrawals", withdrawal.id)
    await settleByHand(world, `/admin/withdrawals/${withdrawal.id}/settle`, word)
    withdrawal.state = word === "paid" ? "completed" : "rejected"
    count(world, `payout settled by hand as ${word === "paid" ? "paid" : "not paid"}`)
    await untilAtRest(world, books)
    if (word === "not_paid" && isPaidLate) {
      books.mayOwe = true
      withdrawal.before = "rejected"
      withdrawal.state = "completed"
      withdrawal.isSeen = false
      count(world, "payout paid after all")
    }
    const wish = { idEnvio: sendIdOf(withdrawal), recusado: withdrawal.state === "rejected" }
    expectStatus(await sendJson(`${bankApi(world)}/controle/desfechos`, "POST", wish), 200)
  })
}

async function untilAtBank(world: World, withdrawal: Withdrawal): Promise<void> {
  await eventually(
    async () => (await readFromBank(`${bankApi(world)}/envios`)).body["envios"] as { idEnvio: string }[],
    (all) => all.some(({ idEnvio }) => idEnvio === sendIdOf(withdrawal)),
    patienceMs,
  )
}

/** The sum that left the bank's account by Pix, in the end. */
export function paidOutOf({ withdrawals }: SellerBooks): number {
  const paid = withdrawals.filter(
    (each) => each.byPix && (each.state === "completed" || endOf(each).status === "completed"),
  )
  return sum(paid.map(({ amountCents }) => amountCents))
}

/** The part of it that came back. */
export function sentBackOf({ withdrawals }: SellerBooks): number {
  return sum(withdrawals.filter(({ byPix }) => byPix).map(({ returnedCents }) => returnedCents))
}
