import { businessDayFrom, type Day, dayAfter } from "@tilinta/contract/vocabulary/due-amount"
import { type Attempt, cycleOf, type Debit, occasionOf, withStatus } from "./automatic-books.ts"
import type { Bank } from "./bank.ts"
import { centsFromValor } from "./books.ts"
import { dayOf } from "./due-charge-books.ts"
import type { FaultName } from "./fault-kinds.ts"
import { bookPayment, pixOf } from "./payments.ts"
import { newEndToEndId } from "./views.ts"
import { oweNotice } from "./webhooks.ts"

/** The account into which this bank's debits are paid. */
export const receivingAccount = { agencia: "0001", conta: "1234567", tipoConta: "PAGAMENTO" } as const

const hoursOf = (day: Day, time: string) => Date.parse(`${day}T${time}:00-03:00`)
const MORNING = "06:00"
const EVENING = "18:30"
const LAST_HOUR = "21:00"
const RETRY_DAYS = 7

/** Receivers may cancel until this hour of the day before the first attempt. */
export function lastCancellation({ day }: Pick<Debit, "day">): number {
  return hoursOf(dayAfter(day, -1), "22:00")
}

export function settlementDay({ calendario, ajusteDiaUtil }: Pick<Debit, "calendario" | "ajusteDiaUtil">): Day {
  return ajusteDiaUtil ? businessDayFrom(calendario.dataDeVencimento) : calendario.dataDeVencimento
}

export function newAttempt(bank: Bank, day: Day, tipo: Attempt["tipo"], now = bank.clock.now()): Attempt {
  const isTaken = tipo === "RIFL"
  const status = isTaken ? "AGENDADA" : "SOLICITADA"
  return {
    ...{ dataLiquidacao: day, tipo, status, endToEndId: newEndToEndId(now) },
    atualizacao: [{ status, data: new Date(now).toISOString() }],
    nextAt: isTaken ? hoursOf(day, EVENING) : now + bank.faults.current().liquidacaoMs,
  }
}

export function isLive({ status }: Attempt): boolean {
  return status === "SOLICITADA" || status === "AGENDADA"
}

export function liveDebitsOf(bank: Bank, recurrenceId: string): Debit[] {
  return bank.automatic.debits
    .ofRecurrence(recurrenceId)
    .filter(({ status }) => status === "CRIADA" || status === "ATIVA")
}

/** With the moment at which something happens next: an attempt's step, or the end of the days for further ones. */
export function scheduled(debit: Debit): Debit {
  const live = debit.tentativas.find(isLive)
  const isOver = debit.status !== "CRIADA" && debit.status !== "ATIVA"
  if (isOver) return { ...debit, dueAt: debit.paysAnyway ? hoursOf(debit.day, MORNING) : null }
  return { ...debit, dueAt: live?.nextAt ?? hoursOf(lastDayOf(debit), LAST_HOUR) }
}

export function lastDayOf({ day, politicaRetentativa }: Pick<Debit, "day" | "politicaRetentativa">): Day {
  return politicaRetentativa === "PERMITE_3R_7D" ? dayAfter(day, RETRY_DAYS) : day
}

function keep(bank: Bank, debit: Debit): void {
  bank.automatic.debits.store(scheduled(debit))
}

function report(bank: Bank, debit: Debit, now: number): void {
  keep(bank, debit)
  const occasion = occasionOfDebit(bank, debit)
  oweNotice(bank, toNotifiedDebit(bank, debit), { occasion, now, list: "cobsr" })
}

function occasionOfDebit(bank: Bank, { id, recurrenceId }: Debit) {
  const recurrence = bank.automatic.recurrences.find(recurrenceId)
  return { names: new Set([id, ...(recurrence === undefined ? [] : occasionOf(recurrence).names)]) }
}

export function cancelDebit(bank: Bank, debit: Debit, end: { solicitante: string; codigo: string }): Debit {
  const now = bank.clock.now()
  const paysAnyway = bank.faultRules.strike("debito-apos-cancelamento", occasionOfDebit(bank, debit)) !== undefined
  const cancelled: Debit = {
    ...withStatus(debit, "CANCELADA", now),
    encerramento: { cancelamento: { ...end, descricao: `Cancelamento solicitado (${end.codigo})` } },
    tentativas: debit.tentativas.map((attempt) => (isLive(attempt) ? withStatus(attempt, "CANCELADA", now) : attempt)),
    ...(paysAnyway && { paysAnyway }),
  }
  report(bank, cancelled, now)
  return scheduled(cancelled)
}

/** Plays what has become due at payers' banks since the last call, in its order. */
export async function playDebits(bank: Bank): Promise<void> {
  if (bank.automatic.debits.nextDue(bank.clock.now()) === undefined) return
  await bank.books.write(() => {
    for (;;) {
      const debit = bank.automatic.debits.nextDue(bank.clock.now())
      if (debit?.dueAt === undefined || debit.dueAt === null) return
      step(bank, debit, debit.dueAt)
    }
  })
  bank.delivery.wake()
}

function step(bank: Bank, debit: Debit, now: number): void {
  if (debit.paysAnyway) {
    const { paysAnyway: _, ...rest } = debit
    pay(bank, rest, rest.tentativas.at(-1) as Attempt, now)
    return keep(bank, rest)
  }
  const attempt = debit.tentativas.find(isLive)
  if (attempt === undefined) return report(bank, withStatus(debit, "EXPIRADA", now), now)
  if (attempt.status === "SOLICITADA") return answer(bank, debit, attempt, now)
  settle(bank, debit, attempt, now)
}

/** Replaces the attempt in its debit. */
function having(debit: Debit, attempt: Attempt): Debit {
  const tentativas = debit.tentativas.map((each) => (each.endToEndId === attempt.endToEndId ? attempt : each))
  return { ...debit, tentativas }
}

/** The payer's bank takes the attempt into its books, or doesn't. */
function answer(bank: Bank, debit: Debit, attempt: Attempt, now: number): void {
  const code = bank.automatic.payer().codigo ?? whyRejected(bank, debit)
  if (code !== undefined) return reject(bank, debit, attempt, code, now)
  const taken = { ...withStatus(attempt, "AGENDADA", now), nextAt: hoursOf(attempt.dataLiquidacao, MORNING) }
  const changed = having(debit, taken)
  report(bank, debit.status === "CRIADA" ? withStatus(changed, "ATIVA", now) : changed, now)
}

function whyRejected(bank: Bank, debit: Debit): string | undefined {
  const recurrence = bank.automatic.recurrences.find(debit.recurrenceId)
  if (recurrence?.status !== "APROVADA") return "MSUC"
  const cents = centsFromValor(debit.valor.original) ?? 0
  const fixed = recurrence.valor?.valorRec
  if (fixed !== undefined && centsFromValor(fixed) !== cents) return "AM09"
  if (cycleOf(recurrence, debit.calendario.dataDeVencimento).day !== debit.calendario.dataDeVencimento) return "DTED"
  return recurrence.ceilingCents !== null && cents > recurrence.ceilingCents ? "AM02" : undefined
}

/** Codes that end the whole debit and not only the attempt. */
const ending = ["AC05", "AM09", "DENC", "DS27", "DTED", "MIDI", "MSUC", "NITX", "RC09", "UDEI", "CRNC", "AG12"]

function reject(bank: Bank, debit: Debit, attempt: Attempt, codigo: string, now: number): void {
  const rejeicao = { codigo, descricao: `Rejeitada pelo banco do pagador (${codigo})` }
  const changed = having(debit, { ...withStatus(attempt, "REJEITADA", now), rejeicao })
  if (!ending.includes(codigo)) return report(bank, changed, now)
  report(bank, { ...withStatus(changed, "REJEITADA", now), encerramento: { rejeicao } }, now)
}

/** In the early morning, and in the evening once more when there was no money. */
function settle(bank: Bank, debit: Debit, attempt: Attempt, now: number): void {
  const day = attempt.dataLiquidacao
  if (now >= hoursOf(day, LAST_HOUR)) return expire(bank, having(debit, withStatus(attempt, "EXPIRADA", now)), day, now)
  const { semSaldo, codigo } = bank.automatic.payer()
  if (codigo !== null) return reject(bank, debit, attempt, codigo, now)
  const strike = (kind: FaultName) => bank.faultRules.strike(kind, occasionOfDebit(bank, debit)) !== undefined
  if (now < hoursOf(day, EVENING) && strike("falha-operacional")) {
    const failed = having(debit, withStatus(attempt, "EXPIRADA", now))
    return report(bank, { ...failed, tentativas: [...failed.tentativas, newAttempt(bank, day, "RIFL", now)] }, now)
  }
  if (semSaldo || strike("sem-saldo")) {
    const nextAt = hoursOf(day, now < hoursOf(day, EVENING) ? EVENING : LAST_HOUR)
    return keep(bank, having(debit, { ...attempt, nextAt }))
  }
  const paid = having(debit, withStatus(attempt, "PAGA", now))
  pay(bank, paid, attempt, now)
  report(bank, withStatus(paid, "CONCLUIDA", now), now)
}

function expire(bank: Bank, debit: Debit, day: Day, now: number): void {
  const isOver = day >= lastDayOf(debit)
  report(bank, isOver ? withStatus(debit, "EXPIRADA", now) : debit, now)
}

function pay(bank: Bank, { id: txid, valor: { original } }: Debit, { endToEndId }: Attempt, now: number): void {
  bookPayment(bank, { txid, amountCents: centsFromValor(original) ?? 0, payerNote: null, now, endToEndId })
}

export function toDebit(bank: Bank, debit: Debit) {
  const { id, status, calendario, valor: amount, infoAdicional, devedor, atualizacao, encerramento } = debit
  const pix = pixOfDebit(bank, debit)
  return {
    idRec: debit.recurrenceId,
    txid: id,
    ...(infoAdicional !== undefined && { infoAdicional }),
    calendario: { criacao: dayOf(debit.createdAt), ...calendario },
    valor: amount,
    status,
    politicaRetentativa: debit.politicaRetentativa,
    ajusteDiaUtil: debit.ajusteDiaUtil,
    ...(devedor && { devedor }),
    recebedor: { ...debit.recebedor, ...receiverNames(bank) },
    ...(pix.length > 0 && { pix }),
    atualizacao,
    ...(encerramento && { encerramento }),
    tentativas: debit.tentativas.map(toAttempt),
  }
}

export function receiverNames({ account }: Bank) {
  return { cnpj: "00000000000191", nome: account.merchantName }
}

function pixOfDebit(bank: Bank, { id }: Debit) {
  return bank.payments.ofTxid(id).map((payment) => pixOf(bank, payment))
}

function toAttempt(attempt: Attempt) {
  const { nextAt: _, ...shown } = attempt
  return shown
}

function toNotifiedDebit(bank: Bank, debit: Debit) {
  const { idRec, txid, status, pix, atualizacao, encerramento, tentativas } = toDebit(bank, debit)
  return { idRec, txid, status, atualizacao, tentativas, ...(encerramento && { encerramento }), ...(pix && { pix }) }
}
