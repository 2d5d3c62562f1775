import { randomBytes } from "node:crypto"
import { expect } from "vitest"
import { eventually } from "../eventually.ts"
import { sendJson } from "../shop.ts"
import { isShown } from "./page-steps.ts"
import { type Code, feeOf, type SellerBooks, type Stray } from "./seller-books.ts"
import { pickFrom, type Step, step } from "./step.ts"
import { call, callAsAdmin, callNow, count, type World } from "./world.ts"

const patienceMs = 120_000

/** Pays another amount than the code's, its amount once more, or money for no code. */
export function payStray(pick: number, amountCents: number, isForCode: boolean): Step {
  return step(
    `pay ${amountCents} ${isForCode ? `for code ${pick}` : "that nobody asked for"}`,
    async (books, world) => {
      const meant = (isForCode && pickFrom(books.codes.filter(isShown), pick)) || null
      // The right amount would be the code's own payment, unless that was already made.
      if (meant !== null && meant.amountCents === amountCents && !meant.isSeen) return
      await receive(world, books, amountCents, meant)
    },
  )
}

async function receive(world: World, books: SellerBooks, amountCents: number, meant: Code | null): Promise<void> {
  const txid = meant === null ? randomBytes(16).toString("hex") : await txidOf(world, books, meant)
  const wish = { valor: (amountCents / 100).toFixed(2), txid }
  const url = `${world.installation.bankUrl}/simulador/api/recebimentos`
  const answer = await sendJson(url, "POST", wish)
  expect(answer).toMatchObject({ status: 201 })
  books.strays.push({ endToEndId: String(answer.body["endToEndId"]), amountCents, meant, isDecided: false })
  world.totals.paidIn += amountCents
  world.totals.suspense += amountCents
}

async function txidOf(world: World, { token }: SellerBooks, { id }: Code): Promise<string> {
  const { body } = await call(world, "GET", "/payments/transactions", { token })
  const { transactions } = body["data"] as { transactions: { _id: string; metadata: { txid: string } }[] }
  return transactions.find(({ _id }) => _id === id)?.metadata.txid ?? ""
}

/** Comes in, and is decided at once. */
export function settleStray(decision: "accept" | "return"): Step {
  return step(`${decision} a stray payment`, async (books, world) => {
    await receive(world, books, 2_345, null)
    await decideOne(world, books, books.strays.at(-1), [decision])
  })
}

/** Two admins decide at the same moment, perhaps differently: one of them wins. */
export function decideStray(pick: number, decisions: ("accept" | "return")[]): Step {
  return step(`${decisions.join(" and ")} stray ${pick}`, (books, world) =>
    decideOne(world, books, pickFrom(books.strays, pick), decisions),
  )
}

async function decideOne(
  world: World,
  books: SellerBooks,
  stray: Stray | undefined,
  decisions: ("accept" | "return")[],
): Promise<void> {
  if (stray === undefined || stray.isDecided) return
  const id = await unmatchedPaymentOf(world, stray)
  const body = stray.meant === null ? { sellerId: books.sellerId } : {}
  const { answers, feeBasisPoints } = await world.gate.together(async () => ({
    feeBasisPoints: stray.meant?.feeBasisPoints ?? world.feeBasisPoints,
    answers: await Promise.all(
      decisions.map((decision) =>
        callNow(world, "PATCH", `/admin/unmatched-payments/${id}/${decision}`, {
          body: decision === "accept" ? body : {},
          token: world.adminToken,
        }),
      ),
    ),
  }))
  const won = decisions.flatMap((decision, index) => (answers[index]?.status === 200 ? [{ decision, index }] : []))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409].slice(0, decisions.length))
  const [winner] = won
  if (winner === undefined) return
  stray.isDecided = true
  world.totals.suspense -= stray.amountCents
  count(world, winner.decision === "return" ? "stray returned" : "stray accepted")
  if (winner.decision === "return") world.totals.refunded += stray.amountCents
  else await credit(world, books, stray, feeBasisPoints)
}

async function unmatchedPaymentOf(world: World, { endToEndId }: Stray): Promise<string> {
  const path = `/admin/unmatched-payments?search=${endToEndId}`
  const [found] = await eventually(
    async () => {
      const { body } = await callAsAdmin(world, "GET", path)
      return (body["data"] as { payments: { _id: string }[] }).payments
    },
    (payments) => payments.length > 0,
    patienceMs,
  )
  return found?._id ?? ""
}

/** It is credited as a transaction of its own. */
async function credit(world: World, books: SellerBooks, stray: Stray, feeBasisPoints: number): Promise<void> {
  const { body } = await call(world, "GET", "/payments/transactions", { token: books.token })
  const { transactions } = body["data"] as { transactions: { _id: string; metadata: { endToEndId: string | null } }[] }
  const found = transactions.filter(({ metadata }) => metadata.endToEndId === stray.endToEndId)
  expect(found).toHaveLength(1)
  const feeCents = feeOf(stray.amountCents, feeBasisPoints)
  const credited: Code = {
    id: found[0]?._id ?? "",
    pixCode: null,
    page: null,
    amountCents: stray.amountCents,
    feeBasisPoints,
    feeCents,
    state: "paid",
    endToEndId: stray.endToEndId,
    refunds: [],
    takenCents: 0,
    takenSeenCents: 0,
    isSeen: true,
    backSeenCents: 0,
  }
  books.codes.push(credited)
  world.totals.fees += feeCents
}
