import type { Logger } from "pino"
import type * as z from "zod/mini"
import { pixValueFromCents } from "#kit/money"
import { failureOf } from "#psp/bounded-http"
import { type ListedPayout, PspError, type PspPayout, type PspPayoutRequest, type PspWindow } from "#psp/psp"
import { readRefusal } from "#psp/read-refusal"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { listedPayoutSchema, pagesOf, payoutSchema, pixPageSchema } from "./api-pix-schemas.ts"
import { pageQuery } from "./page-query.ts"
import type { PayoutPaths } from "./profile.ts"
import { readMoment } from "./read-moment.ts"
import { readValue } from "./read-value.ts"
import { checked, payoutRequest, shownText } from "./requests.ts"

const longestReason = 200

/** The standard has no payouts: `PUT /gn/pix/{idEnvio}` is Efí's. */
export async function sendPayout(
  client: ApiPixClient,
  paths: PayoutPaths,
  receiverKey: string,
  request: PspPayoutRequest,
): Promise<PspPayout> {
  const { payoutId } = request
  const infoPagador = shownText(request.description)
  const body = {
    valor: pixValueFromCents(request.amountCents),
    pagador: { chave: receiverKey, ...(infoPagador !== undefined && { infoPagador }) },
    favorecido: { chave: request.pixKey.key },
  }
  const answer = await client.request("PUT", `${paths.send}/${payoutId}`, checked(payoutRequest, body))
  if (answer.status >= 200 && answer.status <= 299) return readPayout(answer.body, payoutId)

  // The id may be in use, or the request refused: an existing payout counts.
  if (![400, 409, 422].includes(answer.status)) throw unknownAfter(answer.status)
  const existing = await findPayout(client, paths, payoutId)
  if (existing !== null) return existing
  if (answer.status === 409) throw unknownAfter(answer.status)
  const reason = readRefusal(answer)
  return { state: "refused", amountCents: null, endToEndId: null, reason, settledAt: null }
}

export async function findPayout(
  client: ApiPixClient,
  paths: PayoutPaths,
  payoutId: string,
): Promise<PspPayout | null> {
  const answer = await client.request("GET", `${paths.find}/${payoutId}`)
  if (answer.status === 404) return null
  if (answer.status !== 200) throw failureOf(answer)
  return readPayout(answer.body, payoutId)
}

/** Efí's too: payouts by the time of request, including those made from the account without this API. */
export async function* listPayouts(
  client: ApiPixClient,
  paths: PayoutPaths,
  log: Logger,
  window: PspWindow,
): AsyncGenerator<ListedPayout[]> {
  for (let page = 0, pages = 1; page < pages; page++) {
    const answer = await client.request("GET", `${paths.list}?${pageQuery(window, { page })}`)
    if (answer.status !== 200) throw failureOf(answer)
    const parsed = pixPageSchema.safeParse(answer.body)
    if (!parsed.success) throw new PspError("unknown", "unreadable list of payouts")
    pages = pagesOf(parsed.data)
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
  return [{ ...payoutOf(parsed.data), payoutId: idEnvio || null, requestedAt: readMoment(horario?.solicitacao ?? "") }]
}

function readPayout(body: unknown, payoutId: string): PspPayout {
  const parsed = payoutSchema.safeParse(body)
  if (!parsed.success) throw new PspError("unknown", "unreadable payout")
  if (parsed.data.idEnvio !== payoutId) throw new PspError("unknown", "the provider answered another payout")
  return payoutOf(parsed.data)
}

function payoutOf(reported: z.infer<typeof listedPayoutSchema>): PspPayout {
  const { status, valor, endToEndId, e2eId, horario, gnExtras } = reported
  const state = stateOf(status)
  return {
    state,
    amountCents: readValue(valor),
    endToEndId: endToEndId ?? e2eId ?? null,
    reason: gnExtras?.erro?.motivo?.slice(0, longestReason) ?? null,
    settledAt: state === "completed" ? readMoment(horario?.liquidacao ?? "") : null,
  }
}

/** An unknown status never counts as final. */
function stateOf(status: string): PspPayout["state"] {
  if (status === "REALIZADO") return "completed"
  return status === "NAO_REALIZADO" ? "refused" : "under-way"
}

/** Treated as unknown: money must not be given back because of an answer that may be about something else. */
function unknownAfter(status: number): PspError {
  return new PspError("unknown", `the provider answered ${status} to a payout`)
}
