import { expect } from "vitest"
import { eventually } from "../eventually.ts"
import { expectStatus, sendJson } from "../shop.ts"
import { expectAgreement, untilAtRest } from "./agreement.ts"
import { paidCode } from "./payment-steps.ts"
import { backInTheEnd, type Dispute, isUndecided, type SellerBooks } from "./seller-books.ts"
import { pickFrom, type Step, step } from "./step.ts"
import { bankApi, call, count, type World } from "./world.ts"

const seenWithinMs = 120_000

const bank = (world: World, path: string) => `${bankApi(world)}/infracoes${path}`

/** A payer contests a payment at their bank; `permille` of it. */
export function contest(pick: number, permille: number): Step {
  return step(`contest ${permille} of a thousand of payment ${pick}`, async (books, world) => {
    await openDispute(world, books, pick, permille)
  })
}

async function openDispute(world: World, books: SellerBooks, pick: number, permille: number): Promise<Dispute> {
  const code = await paidCode(world, books, pick)
  const amountCents = Math.max(1, Math.floor((code.amountCents * permille) / 1000))
  const wish = { endToEndId: code.endToEndId, valor: (amountCents / 100).toFixed(2) }
  const told = expectStatus(await sendJson(bank(world, ""), "POST", wish), 201)
  const dispute: Dispute = {
    ...{ id: String(told["idInfracao"]), code, amountCents },
    ...{ state: "open", isDefended: false, isSeen: false, wasSeen: false },
  }
  books.disputes.push(dispute)
  books.mayOwe = true
  count(world, "dispute opened")
  return dispute
}

/** One that the server has seen. */
async function liveDispute(world: World, books: SellerBooks, pick: number): Promise<Dispute> {
  const dispute = pickFrom(books.disputes.filter(isUndecided), pick) ?? (await openDispute(world, books, pick, 1000))
  await eventually(
    () => expectAgreement(world, books),
    () => dispute.wasSeen,
    seenWithinMs,
  )
  return dispute
}

/** Once, and before a night has passed that is longer than the time for it. */
export function defend(pick: number): Step {
  return step(`defend dispute ${pick}`, async (books, world) => {
    const dispute = await liveDispute(world, books, pick)
    const { data } = expectStatus(await call(world, "GET", "/payments/disputes", { token: books.token }), 200)
    const { disputes } = data as {
      disputes: { _id: string; canDefend: boolean; transaction: { _id: string } | null }[]
    }
    const shown = disputes.find(({ transaction }) => transaction?._id === dispute.code.id)
    const path = `/payments/disputes/${shown?._id}/defence`
    const answer = await call(world, "PATCH", path, { body: { text: "Entregue com nota." }, token: books.token })
    expect([200, 409, 422]).toContain(answer.status)
    if (shown?.canDefend !== true) expect(answer.status).not.toBe(200)
    if (answer.status !== 200) return
    count(world, "dispute defended")
    dispute.isDefended = true
  })
}

type Judgement = "accepted" | "rejected" | "cancelled"

const statusAtBank = { accepted: "ACEITA", rejected: "REJEITADA", cancelled: "CANCELADA_EFI" } as const
const actOf = {
  accepted: "dispute accepted and debited",
  rejected: "dispute rejected",
  cancelled: "dispute cancelled",
} as const

/** The banks decide; of an accepted one they take the money at once. */
export function judge(pick: number, judgement: Judgement): Step {
  return step(`dispute ${pick} is ${judgement}`, async (books, world) => {
    const dispute = await liveDispute(world, books, pick)
    // A refund of the payment on its way would race with the bank's debit.
    if (judgement === "accepted") await untilAtRest(world, books)
    const { code, amountCents, id } = dispute
    const takenCents = Math.min(amountCents, code.amountCents - backInTheEnd(code))
    if (judgement === "accepted") code.takenCents += takenCents
    dispute.state = judgement
    dispute.isSeen = false
    expectStatus(await sendJson(bank(world, `/${id}`), "PUT", { status: statusAtBank[judgement] }), 200)
    count(world, actOf[judgement])
  })
}
