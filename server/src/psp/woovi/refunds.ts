import { PspError, type PspRefund, type PspRefundRequest, type RefundName } from "#psp/psp"
import { chargeRefundsSchema, refundAnswerSchema, refundSchema } from "./schemas.ts"
import { failureOf, isSuccess, refusalOf, saysNotFound, saysTaken, type WooviClient } from "./woovi-client.ts"

/** `correlationID` is our refund's id: Woovi refunds it at most once, whatever is repeated. */
export async function requestRefund(client: WooviClient, request: PspRefundRequest): Promise<PspRefund> {
  const { endToEndId, pspRefundId, amountCents, description } = request
  const answer = await client.request("POST", "/refund", {
    transactionEndToEndId: endToEndId,
    correlationID: pspRefundId,
    value: amountCents,
    ...(description === "" ? {} : { comment: [...description].slice(0, 140).join("") }),
  })
  if (isSuccess(answer)) return readNamed(answer.body, request)

  // An id in use, or a request that Woovi finds wrong: if it has the refund, that one counts.
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
  if (!isSuccess(answer)) throw failureOf(answer)
  return readNamed(answer.body, name)
}

/** What went back, or is on its way, of what was paid to a charge. Each is null where it can't be read. */
export async function listRefundsOfCharge(client: WooviClient, txid: string): Promise<(PspRefund | null)[]> {
  const answer = await client.request("GET", `/charge/${encodeURIComponent(txid)}/refund`)
  if (saysNotFound(answer)) return []
  if (!isSuccess(answer)) throw failureOf(answer)
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

/** Null when it isn't one. What Woovi began by itself may have no name but the Pix network's. */
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

/** Two vocabularies, by the way it was asked for. A word that we don't know is never taken for an end. */
function stateOf(status: string): PspRefund["state"] {
  if (status === "REFUNDED" || status === "CONFIRMED") return "completed"
  return status === "NOT_ACCOMPLISHED" || status === "REJECTED" ? "refused" : "under-way"
}
