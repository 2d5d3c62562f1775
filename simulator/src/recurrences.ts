import { type Ending, entered, type Journey, occasionOf, type Recurrence } from "./automatic-books.ts"
import type { Bank } from "./bank.ts"
import { randomAlphanumerics } from "./books.ts"
import { cancelDebit, isLive, liveDebitsOf } from "./debits.ts"
import { dayOf } from "./due-charge-books.ts"
import { Problem } from "./problem.ts"
import { oweNotice } from "./webhooks.ts"

/** The bank's own number in the clearing, which no bank has. */
const ispb = "98765432"

/** RR, RN or SC, the bank's number, the day and 11 alphanumerics. */
export function newRecordId(kind: "RR" | "RN" | "SC", now: number): string {
  return `${kind}${ispb}${dayOf(now).replaceAll("-", "")}${randomAlphanumerics(11)}`
}

/** The state as one sees it: a recurrence whose last day is over expires when somebody looks, and nobody is told. */
export function asSeen(bank: Bank, recurrence: Recurrence): Recurrence {
  const { dataFinal } = recurrence.calendario
  const isLive = recurrence.status === "CRIADA" || recurrence.status === "APROVADA"
  if (!isLive || dataFinal === undefined || dayOf(bank.clock.now()) <= dataFinal) return recurrence
  return { ...recurrence, ...entered(recurrence, "EXPIRADA", bank.clock.now()) }
}

export function existing(bank: Bank, id: string): Recurrence {
  const recurrence = bank.automatic.recurrences.find(id)
  if (recurrence === undefined)
    throw new Problem("RecNaoEncontrada", 404, "Recorrência não encontrada para o idRec informado.")
  return asSeen(bank, recurrence)
}

/** An answer of the payer's, or an end by either side, with its notice. Call it within a write. */
export function changeRecurrence(
  bank: Bank,
  recurrence: Recurrence,
  status: "APROVADA" | "REJEITADA" | "CANCELADA",
  changes: { tipoJornada?: Journey; encerramento?: Ending } = {},
): Recurrence {
  const now = bank.clock.now()
  const { ativacao, ...rest } = { ...recurrence, ...changes, ...entered(recurrence, status, now) }
  const isPaidFirst = rest.tipoJornada === "JORNADA_3" || rest.tipoJornada === "AGUARDANDO_DEFINICAO"
  // The charge that was to be paid first is no part of the other ways.
  const changed = { ...rest, ...(isPaidFirst && ativacao && { ativacao }) }
  bank.automatic.recurrences.store(changed)
  oweNotice(bank, toNotifiedRecurrence(changed), { occasion: occasionOf(changed), now, list: "recs" })
  for (const call of bank.automatic.calls.ofRecurrence(recurrence.id)) {
    if (call.status !== "CRIADA") continue
    const answer = status === "APROVADA" ? "ACEITA" : status
    bank.automatic.calls.store({ ...call, ...entered(call, answer, now) })
  }
  if (status !== "CANCELADA") return changed
  for (const debit of liveDebitsOf(bank, recurrence.id)) {
    // A debit of today is with the payer's bank already.
    if (debit.tentativas.some((attempt) => isLive(attempt) && attempt.dataLiquidacao <= dayOf(now))) continue
    cancelDebit(bank, debit, { solicitante: solicitanteOf(changes), codigo: "CCLD" })
  }
  return changed
}

function solicitanteOf({ encerramento }: { encerramento?: Ending }): string {
  return encerramento !== undefined && "cancelamento" in encerramento
    ? encerramento.cancelamento.solicitante
    : "USUARIO_RECEBEDOR"
}

export function cancellation(solicitante: string, codigo: string): Ending {
  return { cancelamento: { solicitante, codigo, descricao: `Cancelamento solicitado (${codigo})` } }
}

export function activationOf({ tipoJornada, ativacao }: Recurrence) {
  return { tipoJornada, ...(ativacao?.dadosJornada && { dadosJornada: ativacao.dadosJornada }) }
}

function toNotifiedRecurrence(recurrence: Recurrence) {
  const { id, status, atualizacao, encerramento } = recurrence
  return { idRec: id, status, atualizacao, ...(encerramento && { encerramento }), ativacao: activationOf(recurrence) }
}
