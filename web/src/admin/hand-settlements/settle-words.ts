import type { HandSettlementView } from "@tilinta/contract/fields"
import * as heads from "@tilinta/contract/heads"
import {
  type HandSettlementOutcome,
  type HandSettlementSubject,
  isEndToEndId,
} from "@tilinta/contract/vocabulary/withdrawals"
import { call } from "#api/client.ts"
import { formatReais } from "#format/money-text.ts"

interface SaidByHand {
  outcome: HandSettlementOutcome
  endToEndId: string | null
  reason: string
}

/** Returns the server's message: it may have taken effect, or wait for another administrator. */
export async function settle(subject: HandSettlementSubject, id: string, body: SaidByHand): Promise<string> {
  const order = { params: { id }, body }
  const { message } =
    subject === "withdrawal" ? await call(heads.settleWithdrawal, order) : await call(heads.settleRefund, order)
  return message
}

export const outcomeWords = {
  paid: "foi pago",
  not_paid: "não foi pago",
} as const satisfies Record<HandSettlementOutcome, string>

export const subjectWords = {
  withdrawal: "saque",
  refund: "estorno",
} as const satisfies Record<HandSettlementSubject, string>

interface Money {
  subject: HandSettlementSubject
  amount: number
  /** Null for the refund of a payment that nobody was credited for. */
  seller: string | null
}

/** The consequence for the money, shown before it is confirmed. */
export function settlementEffect(outcome: HandSettlementOutcome, { subject, amount, seller }: Money): string {
  const reais = formatReais(amount)
  if (seller === null) {
    return outcome === "paid"
      ? `O estorno fica concluído e o pagamento, devolvido. Se a devolução não saiu do banco, quem pagou fica sem ${reais}.`
      : `O pagamento de ${reais} espera de novo uma decisão. Se a devolução saiu do banco, não o aceite: quem pagou já tem o dinheiro.`
  }
  if (subject === "withdrawal") {
    return outcome === "paid"
      ? `O saque fica concluído e ${reais} não voltam ao saldo de ${seller}. Se o Pix não saiu do banco, ${seller} fica sem o dinheiro.`
      : `${reais} voltam na hora ao saldo de ${seller}. Se o Pix saiu do banco, ${seller} recebe duas vezes até o banco mostrar o Pix.`
  }
  return outcome === "paid"
    ? `O estorno fica concluído e ${reais} não voltam ao saldo de ${seller}. Se a devolução não saiu do banco, quem pagou fica sem o dinheiro.`
    : `${reais} voltam na hora ao saldo de ${seller}, menos a parte da taxa. Se a devolução saiu do banco, o valor sai do saldo de novo quando o banco a mostrar.`
}

export interface Draft {
  outcome: HandSettlementOutcome | ""
  endToEndId: string
  reason: string
}

type DraftProblems = Partial<Record<keyof Draft, string>>

/** Problems by field; none when it may be sent. */
export function draftProblems({ outcome, endToEndId, reason }: Draft): DraftProblems {
  return {
    ...(outcome === "" && { outcome: "Diga se foi pago ou não." }),
    ...(outcome === "paid" &&
      !isEndToEndId(endToEndId.trim()) && {
        endToEndId: "Informe o identificador do Pix, que começa com E ou D e tem 32 caracteres.",
      }),
    ...(reason.trim() === "" && { reason: "Escreva o motivo: como você soube o que aconteceu." }),
  }
}

export type SettleAction = "settle" | "change" | "differ" | "confirm"

export const actionWords = {
  settle: "Resolver manualmente",
  change: "Mudar o que eu disse",
  differ: "Dizer outra coisa",
  confirm: "Confirmar",
} as const satisfies Record<SettleAction, string>

interface Settleable {
  settleable: boolean
  handSettlement: HandSettlementView | null
}

/** The note next to the status in a list: what keeps it from ending; empty when nothing does. */
export function settlementWait({ settleable, handSettlement }: Settleable): string {
  if (handSettlement?.waitsFor === "second_admin") return "Espera outro administrador"
  if (handSettlement?.waitsFor === "sending") return "Espera nova confirmação"
  return settleable ? "Sem resposta do banco" : ""
}

/** The actions of this admin, who never decides about their own money. */
export function settleActions(
  { settleable, handSettlement }: Settleable,
  { adminId, sellerId }: { adminId: string | undefined; sellerId: string | undefined },
): SettleAction[] {
  if (!settleable || (adminId !== undefined && adminId === sellerId)) return []
  if (handSettlement === null) return ["settle"]
  const isMine = handSettlement.saidBy._id === adminId
  return handSettlement.waitsFor === "second_admin" && isMine ? ["change"] : ["differ", "confirm"]
}
