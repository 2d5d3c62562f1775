import { pixValueFromCents } from "@tilinta/contract/vocabulary/money"
import * as z from "zod/mini"
import { type Answer, failureOf, kindOfRefusal } from "#psp/bounded-http"
import { type PspAutomatic, type PspDebit, type PspDebitRequest, PspError } from "#psp/psp"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { type ReceiptReader, readReceipts } from "./api-pix-receipts.ts"
import { debitSchema } from "./api-pix-schemas.ts"
import { readValue } from "./list-pages.ts"
import { checked, shownText, txidSchema, value } from "./token.ts"

/** The account that debits are paid into, which the standard wants named in each of them. */
export interface DebitAccount {
  agencia: string
  conta: string
  tipoConta: "CORRENTE" | "POUPANCA" | "PAGAMENTO"
}

type Debits = Pick<PspAutomatic, "createDebit" | "findDebit" | "cancelDebit" | "retryDebit">
type Debit = z.infer<typeof debitSchema>

export const cancellation = z.strictObject({ status: z.literal("CANCELADA") })

const debitRequest = z.strictObject({
  idRec: z.string().check(z.regex(/^[a-zA-Z0-9]{29}$/)),
  infoAdicional: z.optional(z.string().check(z.minLength(1), z.maxLength(140))),
  calendario: z.strictObject({ dataDeVencimento: z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/)) }),
  valor: z.strictObject({ original: value }),
  ajusteDiaUtil: z.boolean(),
  recebedor: z.strictObject({
    agencia: z.string().check(z.minLength(1), z.maxLength(4)),
    conta: z.string().check(z.minLength(1), z.maxLength(20)),
    tipoConta: z.enum(["CORRENTE", "POUPANCA", "PAGAMENTO"]),
  }),
})

export function debitsOf(client: ApiPixClient, account: DebitAccount, reader: ReceiptReader): Debits {
  const find = async (txid: string) => {
    const answer = await client.request("GET", pathOf(txid))
    if (answer.status === 404) return null
    if (answer.status !== 200) throw failureOf(answer)
    return readDebit(answer, txid)
  }
  const shaped = (debit: Debit) => toDebit(client, reader, debit)
  return {
    async createDebit(request) {
      const path = pathOf(request.txid)
      const answer = await client.request("PUT", path, checked(debitRequest, bodyOf(account, request)))
      const isCreated = answer.status === 200 || answer.status === 201
      if (answer.status === 403 && kindOfRefusal(answer.body) === "AcessoNegado") {
        throw new PspError("rejected", failureOf(answer).message)
      }
      // The standard refuses a repeated PUT: the debit itself shows the result of the first one.
      const debit = isCreated ? readDebit(answer, request.txid) : answer.status < 500 ? await find(request.txid) : null
      if (debit === null) throw failureOf(answer)
      requireMeant(debit, request)
      return shaped(debit)
    },
    async findDebit(txid) {
      const debit = await find(txid)
      return debit === null ? null : shaped(debit)
    },
    async cancelDebit(txid) {
      const answer = await client.request("PATCH", pathOf(txid), checked(cancellation, { status: "CANCELADA" }))
      if (answer.status >= 500 || answer.status === 429) throw failureOf(answer)
      // Whatever the answer was, the debit itself says how it is.
      const debit = await find(txid)
      if (debit === null) return "absent"
      const known = oneOf(ends, debit.status)
      if (known !== undefined) return known
      if (answer.status === 400) return "too-late"
      throw new PspError("rejected", failureOf(answer).message)
    },
    async retryDebit(txid, day) {
      const answer = await client.request("POST", `${pathOf(txid)}/retentativa/${day}`)
      if (answer.status === 200 || answer.status === 201) return shaped(readDebit(answer, txid))
      // Repeated after a lost answer, the attempt is there already.
      const debit = answer.status < 500 ? await find(txid) : null
      const isThere = debit?.tentativas?.some(({ tipo, dataLiquidacao }) => tipo === "NTAG" && dataLiquidacao === day)
      if (debit === null || isThere !== true) throw failureOf(answer)
      return shaped(debit)
    },
  }
}

const ends = { CANCELADA: "cancelled", CONCLUIDA: "paid", EXPIRADA: "ended", REJEITADA: "ended" } as const

function bodyOf(account: DebitAccount, { recurrenceId, amountCents, dueDay, description }: PspDebitRequest) {
  const infoAdicional = shownText(description)
  return {
    idRec: recurrenceId,
    ...(infoAdicional !== undefined && { infoAdicional }),
    calendario: { dataDeVencimento: dueDay },
    valor: { original: pixValueFromCents(amountCents) },
    ajusteDiaUtil: true,
    recebedor: account,
  }
}

function readDebit(answer: Answer, txid: string): Debit {
  const debit = debitSchema.safeParse(answer.body)
  if (!debit.success) throw new PspError("unknown", "unreadable debit")
  if (debit.data.txid !== txid) throw new PspError("unknown", "the provider answered another txid")
  return debit.data
}

function requireMeant({ idRec, valor, calendario }: Debit, request: PspDebitRequest): void {
  const isMeant =
    idRec === request.recurrenceId &&
    readValue(valor?.original) === request.amountCents &&
    (calendario?.dataDeVencimento ?? request.dueDay) === request.dueDay
  if (!isMeant) throw new PspError("rejected", "the debit exists with other terms")
}

const states = {
  CRIADA: "created",
  ATIVA: "scheduled",
  CONCLUIDA: "paid",
  EXPIRADA: "expired",
  REJEITADA: "rejected",
  CANCELADA: "cancelled",
} as const
const attemptStates = {
  SOLICITADA: "requested",
  AGENDADA: "scheduled",
  PAGA: "paid",
  REJEITADA: "rejected",
  EXPIRADA: "expired",
  CANCELADA: "cancelled",
} as const
const kinds = { AGND: "first", NTAG: "later_day", RIFL: "same_day" } as const

function toDebit(client: ApiPixClient, reader: ReceiptReader, debit: Debit): PspDebit {
  const { txid, idRec, status, valor, encerramento, tentativas, pix } = debit
  return {
    txid,
    recurrenceId: idRec,
    state: oneOf(states, status) ?? unreadable(status),
    amountCents: readValue(valor?.original),
    endedCode: encerramento?.cancelamento?.codigo ?? encerramento?.rejeicao?.codigo ?? null,
    attempts: (tentativas ?? []).map((attempt) => ({
      kind: oneOf(kinds, attempt.tipo) ?? "first",
      day: attempt.dataLiquidacao,
      state: oneOf(attemptStates, attempt.status) ?? unreadable(attempt.status),
      code: attempt.rejeicao?.codigo ?? null,
      endToEndId: attempt.endToEndId ?? null,
    })),
    receipts: readReceipts(client, reader, pix ?? []),
  }
}

export function oneOf<Words extends object>(words: Words, written: string | null | undefined) {
  return Object.hasOwn(words, written ?? "") ? words[written as keyof Words] : undefined
}

export function unreadable(status: string): never {
  throw new PspError("unknown", `unreadable status ${status}`)
}

function pathOf(txid: string): string {
  if (!txidSchema.safeParse(txid).success) throw new PspError("rejected", "no txid by the standard")
  return `/cobr/${txid}`
}
