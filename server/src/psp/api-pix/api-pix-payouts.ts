import { addCents, noMoney, pixValueFromCents } from "@tilinta/contract/vocabulary/money"
import type * as z from "zod/mini"
import { failureOf, readRefusal } from "#psp/bounded-http"
import {
  type ListedPayout,
  PspError,
  type PspPayout,
  type PspPayoutRequest,
  type PspReturned,
  type PspWindow,
} from "#psp/psp"
import type { UnreadableEntries } from "#psp/unreadable-entries"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { listedPayoutSchema, pagesOf, payoutSchema, pixPageSchema } from "./api-pix-schemas.ts"
import { listPages, readValue, USUAL_SIZE } from "./list-pages.ts"
import type { PayoutPaths } from "./profile.ts"
import { checked, payoutRequest, shownText } from "./token.ts"

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
    favorecido: { chave: request.pixKey.key, ...holderOf(request, paths) },
  }
  const answer = await client.request("PUT", `${paths.send}/${payoutId}`, checked(payoutRequest, body))
  if (answer.status >= 200 && answer.status <= 299) return readPayout(client, answer.body, payoutId)

  // The id may be in use, or the request refused: an existing payout counts.
  if (![400, 409, 422].includes(answer.status)) throw unknownAfter(answer.status)
  const existing = await findPayout(client, paths, payoutId)
  if (existing !== null) return existing
  if (answer.status === 409) throw unknownAfter(answer.status)
  const reason = readRefusal(answer)
  return { state: "refused", amountCents: null, endToEndId: null, reason, settledAt: null }
}

function holderOf({ holder }: PspPayoutRequest, { checksHolder }: PayoutPaths): { cpf?: string; cnpj?: string } {
  if (checksHolder !== true || holder === undefined) return {}
  return holder.length === 11 ? { cpf: holder } : { cnpj: holder }
}

export async function findPayout(
  client: ApiPixClient,
  paths: PayoutPaths,
  payoutId: string,
): Promise<PspPayout | null> {
  const answer = await client.request("GET", `${paths.find}/${payoutId}`)
  if (answer.status === 404) return null
  if (answer.status !== 200) throw failureOf(answer)
  return readPayout(client, answer.body, payoutId)
}

/** Efí's too: payouts by the time of request, including those made from the account without this API. */
export async function* listPayouts(
  client: ApiPixClient,
  paths: PayoutPaths,
  unreadable: UnreadableEntries,
  window: PspWindow,
): AsyncGenerator<ListedPayout[]> {
  yield* listPages(client, { path: paths.list, window, size: USUAL_SIZE }, (body) => {
    const parsed = pixPageSchema.safeParse(body)
    if (!parsed.success) throw new PspError("unknown", "unreadable list of payouts")
    return {
      rows: parsed.data.pix.flatMap((each) => readListed(client, unreadable, each)),
      pages: pagesOf(parsed.data),
    }
  })
}

function readListed(client: ApiPixClient, unreadable: UnreadableEntries, body: unknown): ListedPayout[] {
  const parsed = listedPayoutSchema.safeParse(body)
  if (!parsed.success) {
    unreadable.record("payout", body)
    return []
  }
  const { idEnvio, horario } = parsed.data
  const requestedAt = client.stamps.read(horario?.solicitacao ?? "")
  return [{ ...payoutOf(client, parsed.data), payoutId: idEnvio || null, requestedAt }]
}

function readPayout(client: ApiPixClient, body: unknown, payoutId: string): PspPayout {
  const parsed = payoutSchema.safeParse(body)
  if (!parsed.success) throw new PspError("unknown", "unreadable payout")
  if (parsed.data.idEnvio !== payoutId) throw new PspError("unknown", "the provider answered another payout")
  return payoutOf(client, parsed.data)
}

function payoutOf(client: ApiPixClient, reported: z.infer<typeof listedPayoutSchema>): PspPayout {
  const { status, valor, endToEndId, e2eId, horario, gnExtras } = reported
  const state = stateOf(status)
  return {
    state,
    amountCents: readValue(valor),
    endToEndId: endToEndId ?? e2eId ?? null,
    reason: gnExtras?.erro?.motivo?.slice(0, longestReason) ?? null,
    settledAt: state === "completed" ? client.stamps.read(horario?.liquidacao ?? "") : null,
    ...returnedOf(client, reported),
  }
}

/** Returns may be listed, whole or in parts, or be told by the status alone, which means all of it. */
function returnedOf(
  { stamps }: ApiPixClient,
  { status, devolucoes }: z.infer<typeof listedPayoutSchema>,
): { returned?: PspReturned } {
  const returns = devolucoes ?? []
  if (returns.length === 0) return status === "DEVOLVIDO" ? { returned: { amountCents: null, at: null } } : {}
  const back = returns.filter((each) => (each.status ?? "DEVOLVIDO") === "DEVOLVIDO")
  const amountCents = back.reduce((sum, { valor }) => addCents(sum, readValue(valor) ?? noMoney), noMoney)
  const moments = back.flatMap(({ horario }) => stamps.read(horario?.liquidacao ?? horario?.solicitacao ?? "") ?? [])
  const at = moments.toSorted((a, b) => a.getTime() - b.getTime()).at(-1) ?? null
  return amountCents === noMoney ? {} : { returned: { amountCents, at } }
}

/** An unknown status never counts as final. */
function stateOf(status: string): PspPayout["state"] {
  if (status === "REALIZADO" || status === "DEVOLVIDO") return "completed"
  return status === "NAO_REALIZADO" ? "refused" : "under-way"
}

/** Treated as unknown: money must not be given back because of an answer that may be about something else. */
function unknownAfter(status: number): PspError {
  return new PspError("unknown", `the provider answered ${status} to a payout`)
}
