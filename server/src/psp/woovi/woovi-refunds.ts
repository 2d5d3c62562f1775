import { PspError, type PspRefund, type PspRefundRequest, type RefundName } from "#psp/psp"
import { isSuccess, refusalOf, saysNotFound, saysTaken, type WooviClient, wooviFailureOf } from "./woovi-client.ts"
import { chargeRefundsSchema, refundAnswerSchema, refundSchema } from "./woovi-schemas.ts"

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
