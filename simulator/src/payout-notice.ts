import type { Bank } from "./bank.ts"
import { oweNotice } from "./owe-notice.ts"
import type { Payout } from "./payout-book.ts"
import { toPayout } from "./payout-view.ts"

export const payoutRefusal = "Chave Pix não encontrada ou recusada pelo banco de destino."

/** Banks that report payouts send them among the received payments, as Efí does. */
export function notifyPayout(bank: Bank, payout: Payout): void {
  const occasion = { names: new Set([payout.sendId, payout.payeeKey]) }
  if (bank.faultRules.strike("webhook-de-envio", occasion) === undefined) return
  const { idEnvio, endToEndId, valor, status, horario, gnExtras } = toPayout(payout, payout.settlesAt)
  const pix = {
    endToEndId,
    chave: bank.account.receiverKey,
    tipo: "SOLICITACAO",
    status,
    valor,
    horario,
    gnExtras: { idEnvio, ...gnExtras },
  }
  oweNotice(bank, pix, { occasion, now: bank.clock.now(), dueAt: payout.settlesAt })
}
