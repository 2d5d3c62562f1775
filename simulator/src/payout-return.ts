import type { Bank } from "./bank.ts"
import { newReturnId } from "./end-to-end-id.ts"
import { oweNotice } from "./owe-notice.ts"
import type { Payout, PayoutReturn } from "./payout-book.ts"
import { toPayout } from "./payout-view.ts"

/** The receiver sends the money back, whole or in part. Call it within a write, once a payout. */
export function returnPayout(bank: Bank, payout: Payout, { amountCents, returnsAt }: ReturnOrder): Payout {
  const { sendId, payeeKey } = payout
  const returned = { sendId, returnId: newReturnId(returnsAt), amountCents, returnsAt } satisfies PayoutReturn
  bank.payouts.giveBack(returned)
  const changed = { ...payout, ...returned, returnedCents: amountCents }
  const { idEnvio, endToEndId, valor, status, horario, devolucoes } = toPayout(changed, returnsAt)
  const gnExtras = { idEnvio }
  const pix = {
    endToEndId,
    chave: bank.account.receiverKey,
    tipo: "SOLICITACAO",
    status,
    valor,
    horario,
    devolucoes,
    gnExtras,
  }
  oweNotice(bank, pix, { occasion: { names: new Set([sendId, payeeKey]) }, now: bank.clock.now(), dueAt: returnsAt })
  return changed
}

type ReturnOrder = Pick<PayoutReturn, "amountCents" | "returnsAt">

/** Undefined when the payout was never paid, is back already, or was smaller than that. */
export async function returnPaidPayout(bank: Bank, sendId: string, centavos?: number): Promise<Payout | undefined> {
  const returned = await bank.books.write(() => {
    const now = bank.clock.now()
    const payout = bank.payouts.find(sendId)
    if (payout === undefined || payout.settlesAt > now || payout.refusal !== null || payout.returnsAt !== null) return
    const amountCents = centavos ?? payout.amountCents
    return amountCents > payout.amountCents ? undefined : returnPayout(bank, payout, { amountCents, returnsAt: now })
  })
  bank.delivery.wake()
  return returned
}
