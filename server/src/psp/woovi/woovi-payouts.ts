import type { PixKeyKind } from "@tilinta/contract/vocabulary/pix-key"
import type * as z from "zod/mini"
import { type ListedPayout, PspError, type PspPayout, type PspPayoutRequest, type PspWindow } from "#psp/psp"
import type { UnreadableEntries } from "#psp/unreadable-entries"
import { isSuccess, refusalOf, saysNotFound, saysTaken, type WooviClient, wooviFailureOf } from "./woovi-client.ts"
import { listWindow } from "./woovi-receipts.ts"
import { paymentSchema } from "./woovi-schemas.ts"

export const aliasTypes = {
  cpf: "CPF",
  cnpj: "CNPJ",
  email: "EMAIL",
  phone: "PHONE",
  evp: "RANDOM",
} as const satisfies Record<PixKeyKind, string>

type ReportedPayment = z.output<typeof paymentSchema>

interface Payment {
  /** Woovi's own status word. */
  status: string
  payout: PspPayout
}

/**
 * Two steps: a payment is created, then approved. No money moves before the approval, so one that was only created
 * counts as never accepted, and sending it again approves it.
 */
export async function sendPayout(client: WooviClient, request: PspPayoutRequest): Promise<PspPayout> {
  const { payoutId, pixKey, amountCents, description } = request
  const answer = await client.request("POST", "/payment", {
    correlationID: payoutId,
    value: amountCents,
    destinationAlias: pixKey.key,
    destinationAliasType: aliasTypes[pixKey.kind],
    comment: [...description].slice(0, 140).join(""),
  })
  if (isSuccess(answer)) return approve(client, request, readPayment(answer.body, payoutId))

  // The id may be in use, or the request refused: an existing payment counts.
  const reason = refusalOf(answer)
  if (reason === null) throw new PspError("unknown", `the provider answered ${answer.status} to a payout`)
  const existing = await findPayment(client, payoutId)
  if (existing !== null) return approve(client, request, existing)
  if (saysTaken(answer)) throw new PspError("unknown", "the provider has a payout that it doesn't show")
  return { state: "refused", amountCents: null, endToEndId: null, reason, settledAt: null }
}

export async function findPayout(client: WooviClient, payoutId: string): Promise<PspPayout | null> {
  const found = await findPayment(client, payoutId)
  return found === null || found.status === "CREATED" ? null : found.payout
}

/** A refusal here is not final: the payment still waits, and may be approved in Woovi's own dashboard. */
async function approve(client: WooviClient, request: PspPayoutRequest, created: Payment): Promise<PspPayout> {
  if (created.status !== "CREATED") return created.payout
  if (created.payout.amountCents !== request.amountCents) {
    throw new PspError("unknown", "the payment exists with another amount")
  }
  const answer = await client.request("POST", "/payment/approve", { correlationID: request.payoutId })
  if (isSuccess(answer)) return readPayment(answer.body, request.payoutId).payout
  const words = refusalOf(answer) ?? "nothing more"
  throw new PspError("unknown", `the approval was answered with ${answer.status}: ${words}`)
}

async function findPayment(client: WooviClient, payoutId: string): Promise<Payment | null> {
  const answer = await client.request("GET", `/payment/${payoutId}`)
  if (saysNotFound(answer)) return null
  if (!isSuccess(answer)) throw wooviFailureOf(answer)
  return readPayment(answer.body, payoutId)
}

/** Includes payments made in Woovi's own dashboard, under ids that we never issued. */
export async function* listPayouts(
  client: WooviClient,
  unreadable: UnreadableEntries,
  window: PspWindow,
): AsyncGenerator<ListedPayout[]> {
  for await (const listed of listWindow(client, "payments", window)) {
    const payouts = listed.flatMap((body) => {
      const parsed = paymentSchema.safeParse(body)
      if (parsed.success) return [listedFrom(parsed.data)]
      unreadable.record("payout", (body as { payment?: unknown } | null)?.payment ?? body)
      return []
    })
    yield payouts.sort((a, b) => (a.requestedAt?.getTime() ?? 0) - (b.requestedAt?.getTime() ?? 0))
  }
}

function listedFrom(reported: ReportedPayment): ListedPayout {
  const { correlationID, createdAt } = reported.payment
  const payoutId = correlationID.length <= 64 ? correlationID : null
  return { ...payoutFrom(reported), payoutId, requestedAt: momentOf(createdAt) }
}

function readPayment(body: unknown, payoutId: string): Payment {
  const parsed = paymentSchema.safeParse(body)
  if (!parsed.success) throw new PspError("unknown", "unreadable payout")
  const { correlationID, status } = parsed.data.payment
  if (correlationID !== payoutId) throw new PspError("unknown", "the provider answered another payout")
  return { status, payout: payoutFrom(parsed.data) }
}

function payoutFrom({ payment, transaction, error }: ReportedPayment): PspPayout {
  const state = stateOf(payment.status)
  return {
    state,
    amountCents: payment.value ?? null,
    endToEndId: transaction?.endToEndId ?? null,
    reason: error?.description ?? error?.code ?? null,
    settledAt: state === "completed" ? momentOf(transaction?.time) : null,
  }
}

function momentOf(time: string | null | undefined): Date | null {
  const moment = new Date(time ?? Number.NaN)
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** An unknown status never counts as final, nor does 'DENIED', which Woovi doesn't document. */
function stateOf(status: string): PspPayout["state"] {
  if (status === "CONFIRMED") return "completed"
  return status === "FAILED" || status === "REJECTED" ? "refused" : "under-way"
}
