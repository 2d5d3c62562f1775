import { pixValueFromCents } from "@tilinta/contract/vocabulary/money"
import { failureOf, readRefusal } from "#psp/bounded-http"
import { PspError, type PspRefund, type PspRefundRequest, type RefundName } from "#psp/psp"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { refundSchema } from "./api-pix-schemas.ts"
import { readValue } from "./list-pages.ts"
import { checked, refundRequest, shownText } from "./token.ts"

const longestReason = 200

/** `PUT /pix/{e2eid}/devolucao/{id}` is idempotent: the id is ours and refunds at most once. */
export async function requestRefund(client: ApiPixClient, request: PspRefundRequest): Promise<PspRefund> {
  const { description } = request
  const descricao = shownText(description)
  const body = { valor: pixValueFromCents(request.amountCents), ...(descricao !== undefined && { descricao }) }
  const answer = await client.request("PUT", pathOf(request), checked(refundRequest, body))
  if (answer.status >= 200 && answer.status <= 299) return readNamed(client, answer.body, request)

  // The id may be in use, or the request refused: an existing refund counts.
  if (![400, 409, 422].includes(answer.status)) throw unknownAfter(answer.status)
  const existing = await findRefund(client, request)
  if (existing !== null) return existing
  if (answer.status === 409) throw unknownAfter(answer.status)
  const { pspRefundId } = request
  const reason = readRefusal(answer)
  return { pspRefundId, state: "refused", amountCents: null, returnId: null, reason, settledAt: null }
}

export async function findRefund(client: ApiPixClient, name: RefundName): Promise<PspRefund | null> {
  const answer = await client.request("GET", pathOf(name))
  if (answer.status === 404) return null
  if (answer.status !== 200) throw failureOf(answer)
  return readNamed(client, answer.body, name)
}

/** Null when the body is no refund. */
export function readRefund({ stamps }: ApiPixClient, body: unknown): PspRefund | null {
  const parsed = refundSchema.safeParse(body)
  if (!parsed.success) return null
  const { id, status, valor, rtrId, motivo, horario, natureza } = parsed.data
  return {
    pspRefundId: id,
    state: stateOf(status),
    amountCents: readValue(valor),
    returnId: rtrId ?? null,
    reason: motivo?.slice(0, longestReason) ?? null,
    settledAt: stamps.read(horario?.liquidacao ?? ""),
    // A bank that omits it may still mean a dispute: the rule for open ones decides.
    ...(natureza ? { isDispute: natureza.toUpperCase().startsWith("MED") } : {}),
  }
}

function readNamed(client: ApiPixClient, body: unknown, { pspRefundId }: RefundName): PspRefund {
  const refund = readRefund(client, body)
  if (refund === null) throw new PspError("unknown", "unreadable refund")
  if (refund.pspRefundId !== pspRefundId) throw new PspError("unknown", "the provider answered another refund")
  return refund
}

/** An unknown status never counts as final. */
function stateOf(status: string): PspRefund["state"] {
  if (status === "DEVOLVIDO") return "completed"
  return status === "NAO_REALIZADO" ? "refused" : "under-way"
}

function pathOf({ endToEndId, pspRefundId }: RefundName): string {
  return `/pix/${encodeURIComponent(endToEndId)}/devolucao/${encodeURIComponent(pspRefundId)}`
}

/** Treated as unknown: the seller must not get money back because of an answer that may be about something else. */
function unknownAfter(status: number): PspError {
  return new PspError("unknown", `the provider answered ${status} to a refund`)
}
