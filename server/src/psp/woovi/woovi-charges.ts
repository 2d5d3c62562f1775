import {
  type PspCharge,
  type PspChargeRequest,
  PspError,
  type PspRefund,
  type PspRefundRequest,
  type RefundName,
} from "#psp/psp"
import { isSuccess, refusalOf, saysNotFound, saysTaken, type WooviClient, wooviFailureOf } from "./woovi-client.ts"
import { chargeRefundsSchema, chargeSchema, refundAnswerSchema, refundSchema, refusalSchema } from "./woovi-schemas.ts"

/** The minimum that Woovi documents; a charge that ends sooner is removed by us at its time. */
const SHORTEST_SECONDS = 900

/** `correlationID` is our txid, so a repeated call returns the same charge. */
export async function createCharge(client: WooviClient, request: PspChargeRequest): Promise<PspCharge> {
  const answer = await client.request("POST", "/charge?return_existing=true", {
    correlationID: request.txid,
    value: request.amountCents,
    comment: [...request.description].slice(0, 140).join(""),
    expiresIn: Math.max(request.expiresInSeconds, SHORTEST_SECONDS),
  })
  // A repeated request may be refused: then the charge itself shows the result of the first one.
  const refused = () => (refusalOf(answer) === null ? null : findCharge(client, request.txid))
  const charge = isSuccess(answer) ? readCharge(answer.body, request.txid) : await refused()
  if (charge === null)
    throw saysTaken(answer) ? new PspError("unknown", "the charge isn't shown") : wooviFailureOf(answer)
  if (charge.status !== "ACTIVE") throw new PspError("rejected", `the charge is ${charge.status}`)
  if (charge.value !== request.amountCents) throw new PspError("rejected", "the charge exists with another amount")
  if (!charge.brCode) throw new PspError("rejected", "no Pix code in the answer")
  return { pixCode: charge.brCode }
}

/** A paid charge is never deleted: Woovi doesn't document what would become of its payment's txid. */
export async function removeCharge(client: WooviClient, txid: string): Promise<"removed" | "paid" | "absent"> {
  const before = await findCharge(client, txid)
  if (before === null) return "absent"
  if (before.status === "COMPLETED") return "paid"
  const answer = await client.request("DELETE", `/charge/${txid}`)
  if (!isSuccess(answer) && refusalOf(answer) === null) throw wooviFailureOf(answer)
  const after = await findCharge(client, txid)
  if (after === null || after.status === "EXPIRED") return "removed"
  if (after.status === "COMPLETED") return "paid"
  throw new PspError("rejected", `the charge is still ${after.status}`)
}

export async function findCharge(client: WooviClient, txid: string) {
  const answer = await client.request("GET", `/charge/${txid}`)
  if (saysNotFound(answer)) return null
  if (!isSuccess(answer)) throw wooviFailureOf(answer)
  return readCharge(answer.body, txid)
}

function readCharge(body: unknown, txid: string) {
  const parsed = chargeSchema.safeParse(body)
  const refusal = refusalSchema.safeParse(body)
  // A refusal with a status that says that all is well.
  if (!parsed.success && refusal.success) throw new PspError("rejected", `the provider refused: ${refusal.data.error}`)
  if (!parsed.success) throw new PspError("unknown", "unreadable charge")
  const { charge, brCode } = parsed.data
  if (charge.correlationID !== txid) throw new PspError("unknown", "the provider answered another charge")
  return { ...charge, brCode: charge.brCode ?? brCode ?? null }
}

/** `correlationID` is our refund's id, under which Woovi refunds at most once. */
export async function requestRefund(client: WooviClient, request: PspRefundRequest): Promise<PspRefund> {
  const { endToEndId, pspRefundId, amountCents, description } = request
  const answer = await client.request("POST", "/refund", {
    transactionEndToEndId: endToEndId,
    correlationID: pspRefundId,
    value: amountCents,
    ...(description === "" ? {} : { comment: [...description].slice(0, 140).join("") }),
  })
  if (isSuccess(answer)) return readNamed(answer.body, request)

  // The id may be in use, or the request refused: an existing refund counts.
  const reason = refusalOf(answer)
  if (reason === null) throw new PspError("unknown", `the provider answered ${answer.status} to a refund`)
  const existing = await findRefund(client, request)
  if (existing !== null) return existing
  if (saysTaken(answer)) throw new PspError("unknown", "the provider has a refund that it doesn't show")
  return { pspRefundId, state: "refused", amountCents: null, returnId: null, reason, settledAt: null }
}

export async function findRefund(client: WooviClient, name: RefundName): Promise<PspRefund | null> {
  const answer = await client.request("GET", `/refund/${encodeURIComponent(name.pspRefundId)}`)
  if (saysNotFound(answer)) return null
  if (!isSuccess(answer)) throw wooviFailureOf(answer)
  return readNamed(answer.body, name)
}

/** The charge's refunds, completed or under way; null for each unreadable one. */
export async function listRefundsOfCharge(client: WooviClient, txid: string): Promise<(PspRefund | null)[]> {
  const answer = await client.request("GET", `/charge/${encodeURIComponent(txid)}/refund`)
  if (saysNotFound(answer)) return []
  if (!isSuccess(answer)) throw wooviFailureOf(answer)
  const parsed = chargeRefundsSchema.safeParse(answer.body)
  if (!parsed.success) throw new PspError("unknown", "unreadable list of refunds")
  return parsed.data.refunds.map(readRefund)
}

function readNamed(body: unknown, { pspRefundId }: RefundName): PspRefund {
  const parsed = refundAnswerSchema.safeParse(body)
  const refund = parsed.success ? readRefund(parsed.data.refund) : null
  if (refund === null) throw new PspError("unknown", "unreadable refund")
  if (refund.pspRefundId !== pspRefundId) throw new PspError("unknown", "the provider answered another refund")
  return refund
}

/** Null when the body is no refund. Refunds that Woovi began may have no id but the Pix network's. */
function readRefund(body: unknown): PspRefund | null {
  const parsed = refundSchema.safeParse(body)
  if (!parsed.success) return null
  const { status, value, correlationID, refundId, returnIdentification, endToEndId, time } = parsed.data
  const pspRefundId = correlationID || refundId || endToEndId
  if (!pspRefundId) return null
  const state = stateOf(status)
  const settledAt = new Date(state === "completed" && time ? time : Number.NaN)
  return {
    pspRefundId,
    state,
    amountCents: value,
    returnId: returnIdentification ?? endToEndId ?? null,
    reason: null,
    settledAt: Number.isNaN(settledAt.getTime()) ? null : settledAt,
  }
}

/** Woovi has two vocabularies, depending on the call. An unknown status never counts as final. */
function stateOf(status: string): PspRefund["state"] {
  if (status === "REFUNDED" || status === "CONFIRMED") return "completed"
  return status === "NOT_ACCOMPLISHED" || status === "REJECTED" ? "refused" : "under-way"
}
