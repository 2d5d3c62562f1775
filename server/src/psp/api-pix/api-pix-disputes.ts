import type { DisputeReason, DisputeState } from "@tilinta/contract/vocabulary/dispute-status"
import { centsFromPixValue } from "@tilinta/contract/vocabulary/money"
import type { Logger } from "pino"
import { failureOf } from "#psp/bounded-http"
import { type PspDispute, type PspDisputes, PspError, type PspWindow, type ReportedEvent } from "#psp/psp"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { disputePageSchema, disputeSchema } from "./api-pix-schemas.ts"
import { listPages, USUAL_SIZE } from "./list-pages.ts"

const longestText = 1_000
const DAY_MS = 86_400_000
/** A payment may be disputed for 80 days, and the analysis takes some more. */
const SEARCHED_DAYS = 120

/** The standard has no disputes: `/gn/infracoes` is Efí's. */
export function createDisputes(client: ApiPixClient, path: string, log: Logger): PspDisputes {
  const source = { client, path, log }
  return {
    find: (disputeId) => findDispute(source, disputeId),
    list: (window) => listDisputes(source, window),
    defend: (disputeId, text) => defend(source, disputeId, text),
  }
}

interface Source {
  client: ApiPixClient
  /** Efí's path: the standard has none. */
  path: string
  log: Logger
}

/** Disputes that a webhook's body reports in addition to receipts. */
export function disputesReportedBy(body: unknown): ReportedEvent[] {
  const reported = (body as { infracoes?: unknown } | null)?.infracoes
  if (!Array.isArray(reported)) return []
  return reported.flatMap((item: unknown) => {
    const { idInfracao } = (item ?? {}) as { idInfracao?: unknown }
    if (typeof idInfracao !== "string" || !/^[0-9A-Za-z-]{1,64}$/.test(idInfracao)) return []
    return [{ kind: "dispute" as const, disputeId: idInfracao }]
  })
}

/** There is no call for a single dispute, so it is searched in the list. */
async function findDispute(source: Source, disputeId: string): Promise<PspDispute | null> {
  const ours = Date.now()
  const theirs = source.client.bankTime()?.getTime() ?? ours
  const from = new Date(Math.min(ours, theirs) - SEARCHED_DAYS * DAY_MS)
  const window = { from, to: new Date(Math.max(ours, theirs) + DAY_MS) }
  for await (const disputes of listDisputes(source, window)) {
    const found = disputes.find((dispute) => dispute.disputeId === disputeId)
    if (found !== undefined) return found
  }
  return null
}

async function* listDisputes({ client, path, log }: Source, window: PspWindow) {
  yield* listPages(client, { path, window, size: USUAL_SIZE }, (body) => {
    const parsed = disputePageSchema.safeParse(body)
    if (!parsed.success) throw new PspError("unknown", "unreadable list of disputes")
    const pages = parsed.data.parametros?.paginacao?.quantidadeDePaginas ?? 1
    return { rows: parsed.data.infracoes.flatMap((each) => readable(client, log, each)), pages }
  })
}

function readable(client: ApiPixClient, log: Logger, body: unknown): PspDispute[] {
  const dispute = readDispute(client, body)
  if (dispute !== null) return [dispute]
  log.error({ alarm: "unreadable_dispute" }, "a dispute of the provider can't be read")
  return []
}

function readDispute({ stamps }: ApiPixClient, body: unknown): PspDispute | null {
  const momentOf = (text: string | null | undefined) => stamps.read(text ?? "")
  const parsed = disputeSchema.safeParse(body)
  if (!parsed.success) return null
  const { idInfracao, endToEndId, valor, status, razao, tipoSituacao, comentario, dadosAnalise } = parsed.data
  return {
    disputeId: idInfracao,
    endToEndId,
    // The documents don't say whether "100" means reais or centavos.
    amountCents: typeof valor === "string" ? centsFromPixValue(valor) : null,
    reason: reasonOf(tipoSituacao ?? "", razao ?? ""),
    details: (comentario ?? "").slice(0, longestText),
    state: stateOf(status),
    respondUntil: momentOf(dadosAnalise?.prazoFinalizacao),
    openedAt: momentOf(dadosAnalise?.abertura ?? parsed.data.criadoEm),
    updatedAt: momentOf(parsed.data.atualizadoEm),
    closedAt: momentOf(dadosAnalise?.finalizacao),
    analysis: (parsed.data.justificativaAnalista ?? "").slice(0, longestText),
  }
}

/** An unknown status never counts as final. */
function stateOf(status: string): DisputeState {
  if (status === "ACEITA") return "accepted"
  if (status === "REJEITADA") return "rejected"
  if (status.startsWith("CANCELADA")) return "cancelled"
  return status === "EM_DEFESA" ? "defended" : "open"
}

const reasons: Record<string, DisputeReason> = {
  golpe: "fraud",
  "aquisicao da conta": "account_takeover",
  coercao: "coercion",
  "acesso fraudulento": "unauthorised_access",
}

function reasonOf(situation: string, cause: string): DisputeReason {
  const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim()
  return reasons[plain(situation)] ?? (plain(cause).includes("operacional") ? "operational" : "other")
}

/** `POST …/{id}/defesa` accepts one text for ever; a repetition is answered as already there. */
async function defend({ client, path }: Source, disputeId: string, text: string): Promise<"taken" | "refused"> {
  const address = `${path}/${encodeURIComponent(disputeId)}/defesa`
  const answer = await client.request("POST", address, { analise: "rejeitado", justificativa: text })
  if ((answer.status >= 200 && answer.status <= 299) || answer.status === 409) return "taken"
  if ([400, 404, 422].includes(answer.status)) return "refused"
  throw failureOf(answer)
}
