import type { DatabaseSync } from "node:sqlite"
import { type Day, dayAfter } from "@tilinta/contract/vocabulary/due-amount"
import { z } from "zod"
import { calendarDay, valor } from "./due-charge-books.ts"
import type { Occasion } from "./faults.ts"
import type { SettingsBook } from "./payout-books.ts"
import { openRecordBook } from "./record-books.ts"

export const recordId = z.string().regex(/^[a-zA-Z0-9]{29}$/)
const name = z.string().min(1).max(140)
const contract = z.string().min(1).max(35)
const cpf = z.string().regex(/^\d{11}$/)
const cnpj = z.string().regex(/^[0-9A-Z]{14}$/)
const ofJourney = z
  .object({ dadosJornada: z.object({ txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/) }).optional() })
  .optional()

export const onePerson = { cpf: cpf.optional(), cnpj: cnpj.optional() }
export const isOnePerson = (person: { cpf?: string | undefined; cnpj?: string | undefined }) =>
  (person.cpf === undefined) !== (person.cnpj === undefined)

export const recurrenceRequest = z.object({
  vinculo: z.object({
    objeto: z.string().max(35).optional(),
    contrato: contract,
    devedor: z
      .object({ ...onePerson, nome: name })
      .refine(isOnePerson, { message: "O objeto rec.vinculo não respeita o _schema_." }),
  }),
  calendario: z.object({
    dataInicial: calendarDay,
    dataFinal: calendarDay.optional(),
    periodicidade: z.enum(["SEMANAL", "MENSAL", "TRIMESTRAL", "SEMESTRAL", "ANUAL"]),
  }),
  valor: z
    .object({ valorRec: valor.optional(), valorMinimoRecebedor: valor.optional() })
    .refine(({ valorRec, valorMinimoRecebedor }) => valorRec === undefined || valorMinimoRecebedor === undefined, {
      message: "Ambos os campos rec.valor.valorRec e rec.valor.valorMinimoRecebedor estão preenchidos.",
    })
    .optional(),
  // This bank has no agreements (convênios) that a recurrence could name.
  recebedor: z.strictObject({}).optional(),
  politicaRetentativa: z.enum(["NAO_PERMITE", "PERMITE_3R_7D"]),
  loc: z.int().optional(),
  ativacao: ofJourney,
})

export const recurrenceRevision = z.object({
  status: z.literal("CANCELADA").optional(),
  vinculo: z.object({ devedor: z.object({ nome: name }) }).optional(),
  calendario: z.object({ dataInicial: calendarDay }).optional(),
  loc: z.int().optional(),
  ativacao: ofJourney,
})

export type RecurrenceRequest = z.infer<typeof recurrenceRequest>
export type Journey = "JORNADA_1" | "JORNADA_2" | "JORNADA_3" | "JORNADA_4" | "AGUARDANDO_DEFINICAO"
export type Ending =
  | { rejeicao: { codigo: string; descricao: string } }
  | { cancelamento: { solicitante: string; codigo: string; descricao: string } }

export type Recurrence = RecurrenceRequest & {
  id: string
  alias: null
  status: "CRIADA" | "APROVADA" | "REJEITADA" | "EXPIRADA" | "CANCELADA"
  recurrenceId: null
  debtor: string | null
  createdAt: number
  dueAt: null
  atualizacao: { status: string; data: string }[]
  encerramento?: Ending
  tipoJornada: Journey
  /** The payer's own limit of an amount. */
  ceilingCents: number | null
}

/** An address that payers' banks read: of a recurrence, once one has taken it. */
export type RecurrenceLocation = {
  id: string
  alias: string
  status: "CRIADA"
  recurrenceId: string | null
  debtor: null
  createdAt: number
  dueAt: null
}

/** A request that reaches the payer's app without any code. */
export type RecurrenceCall = {
  id: string
  alias: null
  status: "CRIADA" | "ENVIADA" | "RECEBIDA" | "ACEITA" | "REJEITADA" | "EXPIRADA" | "CANCELADA"
  recurrenceId: string
  debtor: null
  createdAt: number
  dueAt: null
  calendario: { dataExpiracaoSolicitacao: string }
  destinatario: object
  atualizacao: { status: string; data: string }[]
}

export const debitRequest = z.object({
  idRec: recordId,
  infoAdicional: z.string().max(140).optional(),
  calendario: z.object({ dataDeVencimento: calendarDay }),
  valor: z.object({ original: valor }),
  ajusteDiaUtil: z.boolean().default(true),
  devedor: z
    .object({
      email: z.string().optional(),
      logradouro: z.string().max(200).optional(),
      cidade: z.string().max(200).optional(),
      uf: z.string().max(2).optional(),
      cep: z.string().max(9).optional(),
    })
    .optional(),
  recebedor: z.object({
    conta: z.string().min(1).max(20),
    tipoConta: z.enum(["CORRENTE", "POUPANCA", "PAGAMENTO"]),
    agencia: z.string().max(4).optional(),
  }),
})

type History = { status: string; data: string }[]

export type Attempt = {
  dataLiquidacao: Day
  tipo: "AGND" | "NTAG" | "RIFL"
  endToEndId: string
  status: "SOLICITADA" | "AGENDADA" | "PAGA" | "REJEITADA" | "EXPIRADA" | "CANCELADA"
  atualizacao: History
  rejeicao?: { codigo: string; descricao: string }
  /** The moment of its next step at the payer's bank. */
  nextAt: number
}

export type Debit = Omit<z.infer<typeof debitRequest>, "idRec"> & {
  /** The txid. */
  id: string
  alias: null
  status: "CRIADA" | "ATIVA" | "CONCLUIDA" | "EXPIRADA" | "REJEITADA" | "CANCELADA"
  recurrenceId: string
  debtor: string | null
  createdAt: number
  dueAt: number | null
  politicaRetentativa: Recurrence["politicaRetentativa"]
  /** The day of its first attempt. */
  day: Day
  atualizacao: History
  encerramento?: object
  tentativas: Attempt[]
  /** A fault: it is paid although it was cancelled. */
  paysAnyway?: true
}

const payerSwitches = z.strictObject({
  /** No debit finds money. */
  semSaldo: z.boolean(),
  /** The payer's bank rejects each attempt with this code of the standard. */
  codigo: z
    .string()
    .regex(/^[A-Z0-9]{4}$/)
    .nullable(),
})
export const payerChange = payerSwitches.partial()

export type AutomaticBooks = ReturnType<typeof openAutomaticBooks>

export function openAutomaticBooks(db: DatabaseSync, settings: SettingsBook) {
  const payer = (): z.infer<typeof payerSwitches> => ({
    ...{ semSaldo: false, codigo: null },
    ...JSON.parse(settings.find("payer") ?? "{}"),
  })
  return {
    recurrences: openRecordBook<Recurrence>(db, "recurrence"),
    locations: openRecordBook<RecurrenceLocation>(db, "location"),
    calls: openRecordBook<RecurrenceCall>(db, "request"),
    debits: openRecordBook<Debit>(db, "debit"),
    payer,
    changePayer: (change: z.infer<typeof payerChange>) =>
      settings.store("payer", JSON.stringify({ ...payer(), ...change })),
  }
}

export function occasionOf({ id, vinculo }: Recurrence): Occasion {
  return { names: new Set([id, vinculo.contrato]) }
}

export function entered<Status extends string>(
  { atualizacao }: { atualizacao: { status: string; data: string }[] },
  status: Status,
  now: number,
) {
  return { status, atualizacao: [...atualizacao, { status, data: new Date(now).toISOString() }] }
}

export function withStatus<Each extends { status: string; atualizacao: { status: string; data: string }[] }>(
  record: Each,
  status: Each["status"],
  now: number,
): Each {
  return { ...record, ...entered(record, status, now) }
}

const months = { MENSAL: 1, TRIMESTRAL: 3, SEMESTRAL: 6, ANUAL: 12 }

/** The cycle in which the day lies, counted from the first: a month too short for its day ends with it. */
export function cycleOf({ calendario: { dataInicial, periodicidade } }: Recurrence, day: Day) {
  const dayOfCycle = (number: number): Day => {
    if (periodicidade === "SEMANAL") return dayAfter(dataInicial, 7 * number)
    const [year = 0, month = 0, date = 0] = dataInicial.split("-").map(Number)
    const last = new Date(Date.UTC(year, month + months[periodicidade] * number, 0))
    last.setUTCDate(Math.min(date, last.getUTCDate()))
    return last.toISOString().slice(0, 10)
  }
  let number = 0
  while (dayOfCycle(number + 1) <= day) number += 1
  return { number, day: dayOfCycle(number) }
}
