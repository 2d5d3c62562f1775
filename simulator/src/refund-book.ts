import type { DatabaseSync } from "node:sqlite"

export const refundNatures = ["ORIGINAL", "MED_OPERACIONAL", "MED_FRAUDE"] as const

export type RefundNature = (typeof refundNatures)[number]

export type Refund = {
  endToEndId: string
  /** Unique within its payment: chosen by the client, or by the bank itself. */
  refundId: string
  returnId: string
  amountCents: number
  nature: RefundNature
  payerNote: string | null
  requestedAt: number
  /** The outcome is known from this moment on; before it, the refund is under way. */
  settlesAt: number
  /** Null when the money goes back. */
  refusal: string | null
}

export type RefundBook = ReturnType<typeof openRefundBook>

const columns = "endToEndId, refundId, returnId, amountCents, nature, payerNote, requestedAt, settlesAt, refusal"

export function openRefundBook(db: DatabaseSync) {
  const byId = db.prepare(`SELECT ${columns} FROM refunds WHERE endToEndId = ? AND refundId = ?`)
  const ofPayment = db.prepare(`SELECT ${columns} FROM refunds WHERE endToEndId = ? ORDER BY id`)
  const insert = db.prepare(
    `INSERT INTO refunds (${columns}) VALUES (:endToEndId, :refundId, :returnId, :amountCents, :nature, :payerNote, :requestedAt, :settlesAt, :refusal)`,
  )
  const settle = db.prepare(
    "UPDATE refunds SET settlesAt = :settlesAt, refusal = :refusal WHERE endToEndId = :endToEndId AND refundId = :refundId",
  )
  const newest = db.prepare(`SELECT ${columns} FROM refunds ORDER BY id DESC LIMIT ?`)

  return {
    find: (endToEndId: string, refundId: string) => byId.get(endToEndId, refundId) as Refund | undefined,
    ofPayment: (endToEndId: string) => ofPayment.all(endToEndId) as Refund[],
    insert(refund: Refund): void {
      insert.run(refund)
    },
    settle({ endToEndId, refundId, settlesAt, refusal }: Refund): void {
      settle.run({ endToEndId, refundId, settlesAt, refusal })
    },
    newest: (limit: number) => newest.all(limit) as Refund[],
  }
}
