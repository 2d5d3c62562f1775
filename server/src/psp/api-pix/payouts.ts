import type { Logger } from "pino"
import type * as z from "zod/mini"
import { centsFromPixValue, pixValueFromCents } from "#kit/money"
import { failureOf } from "#psp/bounded-http"
import { type ListedPayout, PspError, type PspPayout, type PspPayoutRequest, type PspWindow } from "#psp/psp"
import type { ApiPixClient } from "./http-client.ts"
import { pageQuery } from "./page-query.ts"
import { listedPayoutSchema, payoutSchema, pixPageSchema, refusalSchema } from "./schemas.ts"

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
  const reason = reasonOf(answer.body)
  return { state: "refused", amountCents: null, endToEndId: null, reason, settledAt: null }
}

export async function findPayout(client: ApiPixClient, payoutId: string): Promise<PspPayout | null> {
  const answer = await client.request("GET", `/gn/pix/enviados/id-envio/${payoutId}`)
  if (answer.status === 404) return null
  if (answer.status !== 200) throw failureOf(answer.status)
  return readPayout(answer.body, payoutId)
}

/** Efí's, too: by the time of the request, also what was sent from the account without this API. */
export async function* listPayouts(
  client: ApiPixClient,
  log: Logger,
  window: PspWindow,
): AsyncGenerator<ListedPayout[]> {
  for (let page = 0, pages = 1; page < pages; page++) {
    const answer = await client.request("GET", `/gn/pix/enviados?${pageQuery(window, page)}`)
    if (answer.status !== 200) throw failureOf(answer.status)
    const parsed = pixPageSchema.safeParse(answer.body)
    if (!parsed.success) throw new PspError("unknown", "unreadable list of payouts")
    pages = parsed.data.parametros.paginacao.quantidadeDePaginas
    yield parsed.data.pix.flatMap((body) => readListed(log, body))
  }
}

function readListed(log: Logger, body: unknown): ListedPayout[] {
  const parsed = listedPayoutSchema.safeParse(body)
  if (!parsed.success) {
    log.error({ alarm: "unreadable_payout" }, "a payout of the provider can't be read")
    return []
  }
  const { idEnvio, horario } = parsed.data
  return [{ ...payoutOf(parsed.data), payoutId: idEnvio || null, requestedAt: momentOf(horario?.solicitacao) }]
}

function readPayout(body: unknown, payoutId: string): PspPayout {
  const parsed = payoutSchema.safeParse(body)
  if (!parsed.success) throw new PspError("unknown", "unreadable payout")
  if (parsed.data.idEnvio !== payoutId) throw new PspError("unknown", "the provider answered another payout")
  return payoutOf(parsed.data)
}

function payoutOf(told: z.infer<typeof listedPayoutSchema>): PspPayout {
  const { status, valor, endToEndId, e2eId, horario, gnExtras } = told
  const state = stateOf(status)
  return {
    state,
    amountCents: valor ? centsFromPixValue(valor) : null,
    endToEndId: endToEndId ?? e2eId ?? null,
    reason: gnExtras?.erro?.motivo?.slice(0, longestReason) ?? null,
    settledAt: state === "completed" ? momentOf(horario?.liquidacao) : null,
  }
}

function momentOf(text: string | null | undefined): Date | null {
  const moment = new Date(text ?? Number.NaN)
  return Number.isNaN(moment.getTime()) ? null : moment
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
