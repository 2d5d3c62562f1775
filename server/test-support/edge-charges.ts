import { type Cents, centsFromReais } from "@tilinta/contract/vocabulary/money"
import { secondsAfter, systemClock } from "#kit/clock"
import { registerDispute } from "#money/disputes/register"
import { bookPayments } from "#money/payments/book"
import { recordReportedRefunds } from "#money/refunds/reported"
import { requestRefund } from "#money/refunds/request"
import { listUnmatchedPayments } from "#money/unmatched-payments/list-reads"
import type { PspRefund } from "#psp/psp"
import { createChargePage } from "#selling/charge-pages/create"
import type { ChargePage } from "#selling/charge-pages/rules"
import { createCharge } from "#selling/charges/create"
import type { OpenCharge } from "#selling/charges/rules"
import { makeWithdrawal, pix, twoDaysAgo } from "./edge-withdrawals.ts"
import type { EdgeWorld, WorldUser } from "./edge-world.ts"
import { receiptOf } from "./sandbox.ts"

export async function makePage(world: EdgeWorld, owner: WorldUser, title = "Mentoria de Vendas"): Promise<ChargePage> {
  return createChargePage(world, {
    sellerId: owner.id,
    title,
    slug: "mentoria-de-vendas",
    description: "Um encontro por semana",
    amountCents: centsFromReais(100),
    payerData: { allowAnonymous: true },
    expiresInHours: 24,
    maxPayments: 1,
    order: { externalReference: null, metadata: { loja: "Centro" }, returnUrl: null },
    idempotencyKey: null,
  })
}

export async function makeCharge(world: EdgeWorld, owner: WorldUser): Promise<OpenCharge> {
  const { id } = await makePage(world, owner)
  return createCharge(world, { pageId: id, customerInfo: null, idempotencyKey: null })
}

export async function makePaidCharge(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const { id, txid, amountCents } = await makeCharge(world, owner)
  await bookPayments(world, [receiptOf(txid, amountCents)])
  return id
}

/** A charge of which a part is refunded and more can be. */
export async function makeRefundedCharge(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const chargeId = await makePaidCharge(world, owner)
  const request = { chargeId, actor: { id: owner.id, address: null }, origin: "seller", reason: "" } as const
  await requestRefund(world, { ...request, amountCents: 1_000 as Cents, idempotencyKey: null })
  return chargeId
}

/** A charge of which the bank returned a part. */
export async function makeReturnedCharge(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const { id, txid, amountCents } = await makeCharge(world, owner)
  const receipt = receiptOf(txid, amountCents)
  await bookPayments(world, [receipt])
  await recordReportedRefunds(world, [{ ...receipt, refunds: [returnedOf(receipt.endToEndId)] }])
  return id
}

function returnedOf(endToEndId: string): PspRefund {
  const returnId = endToEndId.replace("E", "D")
  const settled = { state: "completed", reason: null, settledAt: new Date("2026-11-22T12:00:00Z") } as const
  return { pspRefundId: `bank${returnId}`, amountCents: 1_000 as Cents, returnId, ...settled }
}

export async function endToEndIdOf(world: EdgeWorld, chargeId: string): Promise<string> {
  const charge = world.db.selectFrom("charges").select("end_to_end_id").where("id", "=", chargeId)
  return (await charge.executeTakeFirstOrThrow()).end_to_end_id ?? "none"
}

async function disputed(world: EdgeWorld, owner: WorldUser) {
  const chargeId = await makePaidCharge(world, owner)
  const admin = await world.user("admin")
  const dispute = await registerDispute(world, {
    endToEndId: await endToEndIdOf(world, chargeId),
    admin: { id: admin.id, address: null },
    amountCents: null,
    reason: "fraud",
    respondUntil: secondsAfter(world.clock.now(), 86_400),
    adminNotes: "E-mail do banco",
    idempotencyKey: null,
  })
  return { chargeId, disputeId: dispute.id }
}

export async function makeDispute(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return (await disputed(world, owner)).disputeId
}

export async function makeDisputedCharge(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return (await disputed(world, owner)).chargeId
}

export async function makeUnmatchedPayment(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const { txid } = await makeCharge(world, owner)
  const receipt = receiptOf(txid, 7_000)
  await bookPayments(world, [receipt])
  const { payments } = await listUnmatchedPayments(
    world.db,
    { statuses: ["open"], search: receipt.endToEndId },
    { offset: 0, limit: 1 },
  )
  return payments[0]?.id ?? "none"
}

/** By the clock of the database, which dates the lines of a statement. */
export async function withdrawSale(world: EdgeWorld, owner: WorldUser): Promise<string> {
  await makePaidCharge(world, owner)
  return makeWithdrawal({ ...world, clock: { ...world.clock, now: systemClock.now } }, owner, pix)
}

export async function makeUnansweredRefund(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const chargeId = await makePaidCharge(world, owner)
  const request = { chargeId, actor: { id: owner.id, address: null }, origin: "seller", reason: "" } as const
  const before = { ...world, clock: twoDaysAgo(world) }
  return (await requestRefund(before, { ...request, amountCents: 1_000 as Cents, idempotencyKey: null })).id
}
