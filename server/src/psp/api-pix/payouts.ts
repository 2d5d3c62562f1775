import { centsFromPixValue, pixValueFromCents } from "#kit/money"
import { failureOf } from "#psp/bounded-http"
import { PspError, type PspPayout, type PspPayoutRequest } from "#psp/psp"
import type { ApiPixClient } from "./http-client.ts"
import { payoutSchema, refusalSchema } from "./schemas.ts"

const longestReason = 200

/** The standard has no way out: this is Efí's, `PUT /gn/pix/{idEnvio}`. */
export async function sendPayout(
  client: ApiPixClient,
  { receiverKey }: { receiverKey: string },
  request: PspPayoutRequest,
): Promise<PspPayout> {
  const { payoutId } = request
  const answer = await client.request("PUT", `/gn/pix/${payoutId}`, {
    valor: pixValueFromCents(request.amountCents),
    pagador: { chave: receiverKey, infoPagador: request.description.slice(0, 140) },
    favorecido: { chave: request.pixKey.key },
  })
  if (answer.status >= 200 && answer.status <= 299) return readPayout(answer.body, payoutId)

  // An id in use, or a request that the bank finds wrong: if it has the payout, that one counts.
  if (![400, 409, 422].includes(answer.status)) throw unknownAfter(answer.status)
  const existing = await findPayout(client, payoutId)
  if (existing !== null) return existing
  if (answer.status === 409) throw unknownAfter(answer.status)
  return { state: "refused", amountCents: null, endToEndId: null, reason: reasonOf(answer.body) }
}

export async function findPayout(client: ApiPixClient, payoutId: string): Promise<PspPayout | null> {
  const answer = await client.request("GET", `/gn/pix/enviados/id-envio/${payoutId}`)
  if (answer.status === 404) return null
  if (answer.status !== 200) throw failureOf(answer.status)
  return readPayout(answer.body, payoutId)
}

function readPayout(body: unknown, payoutId: string): PspPayout {
  const parsed = payoutSchema.safeParse(body)
  if (!parsed.success) throw new PspError("unknown", "unreadable payout")
  const { idEnvio, status, valor, endToEndId, e2eId, gnExtras } = parsed.data
  if (idEnvio !== payoutId) throw new PspError("unknown", "the provider answered another payout")
  return {
    state: stateOf(status),
    amountCents: valor ? centsFromPixValue(valor) : null,
    endToEndId: endToEndId ?? e2eId ?? null,
    reason: gnExtras?.erro?.motivo?.slice(0, longestReason) ?? null,
  }
}

/** A word that we don't know is never taken for an end. */
function stateOf(status: string): PspPayout["state"] {
  if (status === "REALIZADO") return "completed"
  return status === "NAO_REALIZADO" ? "refused" : "under-way"
}

/** Money is never given back because of an answer that might be about something else. */
function unknownAfter(status: number): PspError {
  return new PspError("unknown", `the provider answered ${status} to a payout`)
}

function reasonOf(body: unknown): string | null {
  const parsed = refusalSchema.safeParse(body)
  const reason = parsed.success ? (parsed.data.detail ?? parsed.data.mensagem) : null
  return reason?.slice(0, longestReason) ?? null
}
