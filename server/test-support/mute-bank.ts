import { type Psp, PspError } from "#psp/psp"

/** A bank that knows of nothing that was asked of it, and takes nothing. */
export function muteBank(psp: Psp): Psp {
  const none = async () => null
  const dead = async () => {
    throw new PspError("unknown", "the contract ended")
  }
  const payouts = psp.payouts && { ...psp.payouts, find: none, send: dead }
  return { ...psp, payouts, findRefund: none, requestRefund: dead }
}

export const endToEndId = "E9999999920261121120012345678901"
/** The two words of an administrator on money that the bank doesn't answer for. */
export const paid = { outcome: "paid", endToEndId, reason: "O extrato mostra o Pix" } as const
export const notPaid = { outcome: "not_paid", endToEndId: null, reason: "O banco encerrou a conta" } as const
