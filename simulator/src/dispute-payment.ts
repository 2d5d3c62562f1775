import { randomUUID } from "node:crypto"
import type { Bank } from "./bank.ts"
import type { Dispute } from "./dispute-book.ts"
import { Problem } from "./problem.ts"
import { randomAlphanumerics } from "./random-text.ts"
import { refundPayment } from "./refund-payment.ts"

const answerDays = 7
const dayMs = 86_400_000

type Opening = { endToEndId: string; amountCents: number | null; situation: string; comment: string | null }

/** The payer contests a payment, or a part of it. */
export async function openDispute(bank: Bank, opening: Opening): Promise<Dispute> {
  const dispute = await bank.books.write(() => {
    const payment = bank.payments.find(opening.endToEndId)
    if (payment === undefined) throw new Problem("PixNaoEncontrado", 404, "Pix não encontrado para o e2eid informado.")
    const amountCents = opening.amountCents ?? payment.amountCents
    if (amountCents > payment.amountCents) throw invalid(400, "O valor contestado excede o do Pix.")
    const now = bank.clock.now()
    const opened: Dispute = {
      ...opening,
      disputeId: randomUUID(),
      amountCents,
      status: "ABERTA",
      defence: null,
      analysis: null,
      openedAt: now,
      respondUntil: now + answerDays * dayMs,
      defendedAt: null,
      closedAt: null,
      updatedAt: now,
    }
    bank.disputes.insert(opened)
    oweNotice(bank, opened)
    return opened
  })
  bank.delivery.wake()
  return dispute
}

/** Accepts one text per dispute, while the dispute is open and before its deadline. */
export async function defendDispute(bank: Bank, disputeId: string, text: string): Promise<void> {
  await bank.books.write(() => {
    const dispute = findOpen(bank, disputeId)
    if (dispute.defence !== null) throw invalid(409, "A defesa para essa infração já foi criada.")
    const now = bank.clock.now()
    if (now > dispute.respondUntil) throw invalid(422, "O prazo para defesa foi excedido.")
    change(bank, { ...dispute, status: "EM_DEFESA", defence: text, defendedAt: now }, now)
  })
  bank.delivery.wake()
}

type Outcome = "ACEITA" | "REJEITADA" | "CANCELADA_EFI"

/** An accepted dispute returns the money at once: a refund that the platform did not ask for. */
export async function closeDispute(bank: Bank, disputeId: string, outcome: Outcome): Promise<Dispute> {
  const closed = await bank.books.write(() => {
    const dispute = findOpen(bank, disputeId)
    const now = bank.clock.now()
    const analysis = outcome === "ACEITA" ? "Fraude confirmada." : "Não foi identificada fraude."
    return change(bank, { ...dispute, status: outcome, analysis, closedAt: now }, now)
  })
  if (outcome === "ACEITA") await takeBack(bank, closed)
  bank.delivery.wake()
  return closed
}

/** Money that was refunded meanwhile can't be returned again. */
async function takeBack(bank: Bank, { endToEndId, amountCents }: Dispute): Promise<void> {
  const payment = bank.payments.find(endToEndId)
  const counted = bank.refunds.ofPayment(endToEndId).filter(({ refusal }) => refusal === null)
  const left = (payment?.amountCents ?? 0) - counted.reduce((sum, refund) => sum + refund.amountCents, 0)
  const taken = Math.min(amountCents, left)
  if (taken <= 0) return
  const refundId = randomAlphanumerics(32)
  await refundPayment(bank, { endToEndId, refundId, amountCents: taken, nature: "MED_FRAUDE", payerNote: null })
}

function findOpen(bank: Bank, disputeId: string): Dispute {
  const dispute = bank.disputes.find(disputeId)
  if (dispute === undefined) throw new Problem("InfracaoNaoEncontrada", 404, "Infração não encontrada.")
  if (dispute.closedAt !== null) throw invalid(422, "A infração já foi finalizada.")
  return dispute
}

/** Each change gets a later timestamp than the one before, because clients tell changes apart by it. */
function change(bank: Bank, dispute: Dispute, now: number): Dispute {
  const changed = { ...dispute, updatedAt: Math.max(now, dispute.updatedAt + 1) }
  bank.disputes.update(changed)
  oweNotice(bank, changed)
  return changed
}

/** The standard has no such notice: this bank sends the infraction's id to the key's webhook. */
function oweNotice(bank: Bank, { disputeId, endToEndId, status, updatedAt }: Dispute): void {
  const { receiverKey } = bank.account
  if (!bank.faults.current().webhooksAtivos || bank.webhooks.find(receiverKey) === undefined) return
  const body = JSON.stringify({ infracoes: [{ idInfracao: disputeId, endToEndId, status }] })
  bank.webhooks.owe({ receiverKey, body, now: bank.clock.now(), dueAt: updatedAt })
}

function invalid(status: 400 | 409 | 422, razao: string): Problem {
  return new Problem("InfracaoOperacaoInvalida", status, razao, [{ razao, propriedade: "infracao" }])
}
