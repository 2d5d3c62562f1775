import { randomBytes } from "node:crypto"
import { expect } from "vitest"
import { eventually } from "../eventually.ts"
import { expectStatus, sendJson } from "../shop.ts"
import { untilAtRest } from "./agreement.ts"
import { fund } from "./entry-steps.ts"
import { askToClose, endPage, isShown, newPageWithCode } from "./page-steps.ts"
import { type Code, feeOf, netOf, type SellerBooks, type Stray } from "./seller-books.ts"
import { pickFrom, type Step, step } from "./step.ts"
import { bankApi, call, callAsAdmin, callNow, count, queryThroughKills, timeIn, type World } from "./world.ts"

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
  const endToEndId = await payInto(world, txid, amountCents)
  books.strays.push({ endToEndId, amountCents, meant, isDecided: false, dispute: null })
  world.totals.suspense += amountCents
}

async function payInto(world: World, txid: string, amountCents: number): Promise<string> {
  const wish = { valor: reais(amountCents), txid }
  const { endToEndId } = expectStatus(await sendJson(`${bankApi(world)}/recebimentos`, "POST", wish), 201)
  world.totals.paidIn += amountCents
  return String(endToEndId)
}

const reais = (cents: number) => (cents / 100).toFixed(2)

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

/** Another amount than the code's pays it, once; what comes after that is a transaction of its own. */
export function payByStrays(pick: number): Step {
  return step(`two stray payments for code ${pick} are accepted`, async (books, world) => {
    const code = await newPageWithCode(world, books, 30_000 + pick)
    await receive(world, books, 4_567, code)
    await receive(world, books, 4_567, code)
    for (const stray of books.strays.slice(-2)) await decideOne(world, books, stray, ["accept"])
  })
}

/** The bank takes it back before anybody has decided: it erred, or the payer contested it. */
export function takeStrayBack(why: "an error" | "a dispute"): Step {
  return step(`the bank takes a stray payment back for ${why}`, async (books, world) => {
    await receive(world, books, 3_456, null)
    const stray = books.strays.at(-1)
    if (stray === undefined) throw new Error("it was received")
    const id = await unmatchedPaymentOf(world, stray)
    stray.isDecided = true
    const wish = { endToEndId: stray.endToEndId, valor: reais(stray.amountCents) }
    if (why === "an error") {
      expectStatus(await sendJson(`${bankApi(world)}/devolucoes`, "POST", { ...wish, natureza: "ORIGINAL" }), 201)
    } else {
      await contestInVain(world, stray, wish)
    }
    world.totals.suspense -= stray.amountCents
    world.totals.refunded += stray.amountCents
    await eventually(
      () => queryThroughKills<{ status: string }>(world, "select status from unmatched_payments where id = $1", [id]),
      ([row]) => row?.status === "returned",
      patienceMs,
    )
    count(world, why === "an error" ? "stray taken back by the bank" : "stray contested and taken back")
  })
}

/** In vain for whoever would keep the money: the banks accept it. */
async function contestInVain(world: World, stray: Stray, wish: object): Promise<void> {
  const id = String(expectStatus(await sendJson(`${bankApi(world)}/infracoes`, "POST", wish), 201)["idInfracao"])
  stray.dispute = { id, state: "open" }
  await eventually(
    () => queryThroughKills(world, "select from disputes where psp_dispute_id = $1", [id]),
    (rows) => rows.length > 0,
    patienceMs,
  )
  expectStatus(await sendJson(`${bankApi(world)}/infracoes/${id}`, "PUT", { status: "ACEITA" }), 200)
  stray.dispute.state = "accepted"
}

/** Money for a code that has ended is credited, and an administrator sends it back. */
export function returnLate(pick: number): Step {
  return step(`late payment ${pick} is returned`, async (books, world) => {
    const code = await newPageWithCode(world, books, 20_000 + pick)
    const { status } = await askToClose(world, books, code.page, "cancel")
    expect(status).toBe(200)
    endPage(books, code.page, "cancel")
    const endToEndId = await payInto(world, await txidOf(world, books, code), code.amountCents)
    code.state = "paid"
    code.endToEndId = endToEndId
    world.totals.fees += code.feeCents
    await untilAtRest(world, books)
    await fund(world, books, netOf(code))
    const id = await unmatchedPaymentOf(world, { endToEndId })
    const returned = await callAsAdmin(world, "PATCH", `/admin/unmatched-payments/${id}/return`, {})
    expectStatus(returned, 200)
    code.refunds.push(await refundOf(world, books, code))
    count(world, "late payment returned")
  })
}

async function refundOf(world: World, { token }: SellerBooks, { id, amountCents }: Code): Promise<Code["refunds"][0]> {
  const { data } = expectStatus(await call(world, "GET", `/payments/transactions/${id}/refunds`, { token }), 200)
  const { refunds } = data as { refunds: { _id: string; amount: number; fee: number }[] }
  expect(refunds).toMatchObject([{ amount: amountCents / 100 }])
  const [told] = refunds
  return {
    ...{ id: told?._id ?? "", amountCents, feeCents: Math.round((told?.fee ?? 0) * 100) },
    ...{ end: "completed", seen: null, askedAtMs: timeIn(world).getTime() },
  }
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
  // Whether its code is paid by something else decides what it pays.
  if (stray.meant?.state === "paid" && !stray.meant.isSeen) await untilAtRest(world, books)
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

async function unmatchedPaymentOf(world: World, { endToEndId }: Pick<Stray, "endToEndId">): Promise<string> {
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

/** It pays the code that it was meant for, unless something else has paid that one: then it is a transaction of its own. */
async function credit(world: World, books: SellerBooks, stray: Stray, feeBasisPoints: number): Promise<void> {
  const { body } = await call(world, "GET", "/payments/transactions", { token: books.token })
  const { transactions } = body["data"] as { transactions: { _id: string; metadata: { endToEndId: string | null } }[] }
  const found = transactions.filter(({ metadata }) => metadata.endToEndId === stray.endToEndId)
  expect(found).toHaveLength(1)
  const { meant, amountCents, endToEndId } = stray
  const feeCents = feeOf(amountCents, feeBasisPoints)
  world.totals.fees += feeCents
  const id = found[0]?._id ?? ""
  // Nobody can pay its code again.
  const paid = { pixCode: null, amountCents, feeCents, state: "paid", endToEndId, isSeen: true } as const
  if (meant !== null && meant.state !== "paid") {
    expect(id).toBe(meant.id)
    Object.assign(meant, paid)
    count(world, "stray accepted for its code")
    return
  }
  books.codes.push({
    ...paid,
    id,
    page: null,
    feeBasisPoints,
    refunds: [],
    takenCents: 0,
    takenSeenCents: 0,
    backSeenCents: 0,
  })
}
