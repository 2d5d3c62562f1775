import { decodeBrCode } from "@tilinta/brcode/decode"
import { encodeDynamic, encodeRecurrence } from "@tilinta/brcode/encode"
import { pixValueFromCents } from "@tilinta/contract/vocabulary/money"
import * as z from "zod/mini"
import { isDueTxid } from "#kit/ids"
import { type Answer, failureOf } from "#psp/bounded-http"
import { type PspAutomatic, PspError, type PspRecurrence, type PspRecurrenceRequest, type PspWindow } from "#psp/psp"
import { findCharge, pixCodeOf, type Receiver } from "./api-pix-charges.ts"
import { cancellation, type DebitAccount, debitsOf, oneOf, unreadable } from "./api-pix-debits.ts"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import type { ReceiptReader } from "./api-pix-receipts.ts"
import { locationSchema, pagesOf, recurrencePageSchema, recurrenceSchema } from "./api-pix-schemas.ts"
import { listPages, readValue, USUAL_SIZE } from "./list-pages.ts"
import { checked, txidSchema, value } from "./token.ts"

interface Parts {
  receiver: Receiver
  account: DebitAccount
  reader: ReceiptReader
  /** Registers the webhook of this path, as that of the key is registered. */
  register: (path: string, url: string) => Promise<void>
}

/** `/rec` and `/locrec`: what a payer authorises once; `/cobr`: the debit of one cycle. */
export function automaticOf(client: ApiPixClient, { receiver, account, reader, register }: Parts): PspAutomatic {
  return {
    ...debitsOf(client, account, reader),
    createRecurrence: (request) => createRecurrence(client, request),
    async findRecurrence(recurrenceId, firstTxid) {
      const found = await askForRecurrence(client, recurrenceId, firstTxid)
      if (found === null) return null
      const recurrence = toRecurrence(client, found)
      if (recurrence.state !== "created") return recurrence
      return { ...recurrence, pixCode: await codeOf(client, receiver, found, firstTxid) }
    },
    findRecurrencesByContract: (contract, window) => findByContract(client, contract, window),
    async cancelRecurrence(recurrenceId) {
      const answer = await client.request("PATCH", pathOf(recurrenceId), checked(cancellation, { status: "CANCELADA" }))
      if (answer.status >= 500 || answer.status === 429) throw failureOf(answer)
      // Whatever the answer was, the recurrence itself says how it is.
      const found = await askForRecurrence(client, recurrenceId)
      if (found === null) return "absent"
      const { state, ended } = toRecurrence(client, found)
      if (state === "created" || state === "approved") throw new PspError("rejected", failureOf(answer).message)
      return state === "cancelled" && ended?.by === "us" ? "cancelled" : "ended"
    },
    async registerWebhooks(url) {
      for (const path of ["/webhookrec", "/webhookcobr"]) await register(path, url)
    },
  }
}

type Recurrence = z.infer<typeof recurrenceSchema>

const shortText = z.string().check(z.minLength(1), z.maxLength(35))
const calendarDay = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))
const periods = {
  weekly: "SEMANAL",
  monthly: "MENSAL",
  quarterly: "TRIMESTRAL",
  half_yearly: "SEMESTRAL",
  yearly: "ANUAL",
} as const

const recurrenceRequest = z.strictObject({
  vinculo: z.strictObject({
    objeto: shortText,
    contrato: shortText,
    devedor: z.strictObject({
      cpf: z.optional(z.string().check(z.regex(/^\d{11}$/))),
      cnpj: z.optional(z.string().check(z.regex(/^[0-9A-Z]{14}$/))),
      nome: z.string().check(z.minLength(1), z.maxLength(140)),
    }),
  }),
  calendario: z.strictObject({
    dataInicial: calendarDay,
    dataFinal: z.optional(calendarDay),
    periodicidade: z.enum(Object.values(periods)),
  }),
  valor: z.strictObject({ valorRec: value }),
  politicaRetentativa: z.enum(["NAO_PERMITE", "PERMITE_3R_7D"]),
  loc: z.int(),
  ativacao: z.optional(z.strictObject({ dadosJornada: z.strictObject({ txid: txidSchema }) })),
})

async function createRecurrence(client: ApiPixClient, request: PspRecurrenceRequest): Promise<PspRecurrence> {
  const { contract, object, debtor, amountCents, period, firstDay, lastDay, retryPolicy, firstTxid } = request
  const body = checked(recurrenceRequest, {
    vinculo: { objeto: object, contrato: contract, devedor: debtorOf(debtor) },
    calendario: {
      dataInicial: firstDay,
      periodicidade: periods[period],
      ...(lastDay !== null && { dataFinal: lastDay }),
    },
    valor: { valorRec: pixValueFromCents(amountCents) },
    politicaRetentativa: retryPolicy === "none" ? "NAO_PERMITE" : "PERMITE_3R_7D",
    loc: await createLocation(client),
    // One with a due day is named only where the code is asked for.
    ...(firstTxid !== null && !isDueTxid(firstTxid) && { ativacao: { dadosJornada: { txid: firstTxid } } }),
  })
  const answer = await client.request("POST", "/rec", body)
  const recurrence = toRecurrence(client, readRecurrence(answer, [200, 201]))
  if (recurrence.contract !== contract) throw new PspError("unknown", "the provider answered another contract")
  return recurrence
}

function debtorOf({ name, document }: PspRecurrenceRequest["debtor"]) {
  const nome = [...name].slice(0, 140).join("")
  return { ...(document.length === 14 ? { cnpj: document } : { cpf: document }), nome }
}

/** One that no recurrence takes harms nobody, so that a failure here leaves nothing to look for. */
async function createLocation(client: ApiPixClient): Promise<number> {
  try {
    const answer = await client.request("POST", "/locrec")
    const location = locationSchema.safeParse(answer.body)
    if (answer.status > 201 || !location.success) throw failureOf(answer)
    return location.data.id
  } catch (error) {
    if (!(error instanceof PspError) || error.failure === "rejected") throw error
    throw new PspError("unavailable", "no address for the recurrence", { cause: error })
  }
}

async function askForRecurrence(client: ApiPixClient, id: string, firstTxid?: string): Promise<Recurrence | null> {
  const answer = await client.request("GET", pathOf(id) + (firstTxid === undefined ? "" : `?txid=${firstTxid}`))
  // Refused together with the charge: the recurrence alone may be fine, and its code is written here.
  if (answer.status === 400 && firstTxid !== undefined) return askForRecurrence(client, id)
  if (answer.status === 404) return null
  const recurrence = readRecurrence(answer, [200])
  if (recurrence.idRec !== id) throw new PspError("unknown", "the provider answered another recurrence")
  return recurrence
}

function readRecurrence(answer: Answer, good: readonly number[]): Recurrence {
  if (!good.includes(answer.status)) throw failureOf(answer)
  const recurrence = recurrenceSchema.safeParse(answer.body)
  if (!recurrence.success) throw new PspError("unknown", "unreadable recurrence")
  return recurrence.data
}

async function findByContract(client: ApiPixClient, contract: string, window: PspWindow): Promise<PspRecurrence[]> {
  const found: PspRecurrence[] = []
  const pages = listPages(client, { path: "/rec", window, size: USUAL_SIZE }, (body) => {
    const page = recurrencePageSchema.safeParse(body)
    if (!page.success) throw new PspError("unknown", "unreadable list of recurrences")
    return { rows: page.data.recs, pages: pagesOf(page.data) }
  })
  for await (const rows of pages) {
    found.push(...rows.filter(({ vinculo }) => vinculo.contrato === contract).map((row) => toRecurrence(client, row)))
  }
  return found
}

const states = {
  CRIADA: "created",
  APROVADA: "approved",
  REJEITADA: "rejected",
  EXPIRADA: "expired",
  CANCELADA: "cancelled",
} as const
const journeys = { JORNADA_1: 1, JORNADA_2: 2, JORNADA_3: 3, JORNADA_4: 4 } as const
const enders = {
  USUARIO_PAGADOR: "payer",
  PSP_PAGADOR: "payer_bank",
  USUARIO_RECEBEDOR: "us",
  PSP_RECEBEDOR: "our_bank",
} as const

function toRecurrence(client: ApiPixClient, recurrence: Recurrence): PspRecurrence {
  const { idRec, vinculo, status, valor, ativacao, atualizacao } = recurrence
  const approval = atualizacao?.findLast((step) => step.status === "APROVADA")?.data
  return {
    recurrenceId: idRec,
    contract: vinculo.contrato,
    state: oneOf(states, status) ?? unreadable(status),
    ended: endOf(recurrence),
    amountCents: readValue(valor?.valorRec),
    pixCode: null,
    journey: oneOf(journeys, ativacao?.tipoJornada) ?? null,
    approvedAt: approval ? client.stamps.read(approval) : null,
  }
}

/** A bank that doesn't say who cancelled is taken for the one. */
function endOf({ status, encerramento }: Recurrence): PspRecurrence["ended"] {
  const { rejeicao, cancelamento } = encerramento ?? {}
  if (status === "REJEITADA") return { by: "payer", code: rejeicao?.codigo ?? null }
  if (status !== "CANCELADA") return null
  return { by: oneOf(enders, cancelamento?.solicitante) ?? "our_bank", code: cancelamento?.codigo ?? null }
}

/** The bank's code where it leads to this recurrence and this charge and nowhere else; otherwise one of our own. */
async function codeOf(
  client: ApiPixClient,
  receiver: Receiver,
  { loc, dadosQR }: Recurrence,
  firstTxid: string | undefined,
): Promise<string | null> {
  const urlRec = withoutScheme(loc?.location)
  const url = firstTxid === undefined ? "" : await addressOfCharge(client, receiver, firstTxid)
  if (urlRec === "" || url === null) return null
  const code = dadosQR?.pixCopiaECola ?? ""
  if (isMeant(code, url, urlRec)) return code
  const names = { merchantName: receiver.name, merchantCity: receiver.city }
  return url === "" ? encodeRecurrence({ urlRec, ...names }) : encodeDynamic({ url, urlRec, ...names })
}

/** Null for a charge that can't be paid any more, and for one without an address. */
async function addressOfCharge(client: ApiPixClient, receiver: Receiver, txid: string): Promise<string | null> {
  const charge = await findCharge(client, txid)
  if (charge?.status !== "ATIVA") return null
  const decoded = decodeBrCode(pixCodeOf(charge, receiver))
  return decoded.valid ? withoutScheme(decoded.code.url) || null : null
}

function isMeant(code: string, url: string, urlRec: string): boolean {
  const decoded = decodeBrCode(code)
  if (!decoded.valid || decoded.code.key !== undefined) return false
  return withoutScheme(decoded.code.url) === url && withoutScheme(decoded.code.urlRec) === urlRec
}

function withoutScheme(url: string | null | undefined): string {
  return (url ?? "").replace(/^https?:\/\//i, "")
}

function pathOf(recurrenceId: string): string {
  return `/rec/${encodeURIComponent(recurrenceId)}`
}
