import type { DatabaseSync } from "node:sqlite"

export const refundNatures = ["ORIGINAL", "MED_OPERACIONAL", "MED_FRAUDE", "MED_PIX_AUTOMATICO"] as const

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

const refundColumns = "endToEndId, refundId, returnId, amountCents, nature, payerNote, requestedAt, settlesAt, refusal"

export function openRefundBook(db: DatabaseSync) {
  const byId = db.prepare(`SELECT ${refundColumns} FROM refunds WHERE endToEndId = ? AND refundId = ?`)
  const ofPayment = db.prepare(`SELECT ${refundColumns} FROM refunds WHERE endToEndId = ? ORDER BY id`)
  const insert = db.prepare(
    `INSERT INTO refunds (${refundColumns}) VALUES (:endToEndId, :refundId, :returnId, :amountCents, :nature, :payerNote, :requestedAt, :settlesAt, :refusal)`,
  )
  const settle = db.prepare(
    "UPDATE refunds SET settlesAt = :settlesAt, refusal = :refusal WHERE endToEndId = :endToEndId AND refundId = :refundId",
  )
  const newest = db.prepare(`SELECT ${refundColumns} FROM refunds ORDER BY id DESC LIMIT ?`)

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

const disputeStatuses = ["ABERTA", "EM_DEFESA", "ACEITA", "REJEITADA", "CANCELADA_EFI"] as const

export const disputeSituations = [
  "golpe",
  "aquisição da conta",
  "coerção",
  "acesso fraudulento",
  "outro",
  "desconhecido",
] as const

type DisputeStatus = (typeof disputeStatuses)[number]

/** A payer's dispute of a payment (MED). */
export type Dispute = {
  disputeId: string
  endToEndId: string
  amountCents: number
  status: DisputeStatus
  situation: string
  comment: string | null
  defence: string | null
  analysis: string | null
  openedAt: number
  respondUntil: number
  defendedAt: number | null
  closedAt: number | null
  updatedAt: number
}

export type DisputeBook = ReturnType<typeof openDisputeBook>

const columns =
  "disputeId, endToEndId, amountCents, status, situation, comment, defence, analysis, openedAt, respondUntil, defendedAt, closedAt, updatedAt"

export function openDisputeBook(db: DatabaseSync) {
  const byId = db.prepare(`SELECT ${columns} FROM disputes WHERE disputeId = ?`)
  const insert = db.prepare(
    `INSERT INTO disputes (${columns}) VALUES (:disputeId, :endToEndId, :amountCents, :status, :situation, :comment, :defence, :analysis, :openedAt, :respondUntil, :defendedAt, :closedAt, :updatedAt)`,
  )
  const update = db.prepare(
    `UPDATE disputes SET status = :status, defence = :defence, analysis = :analysis, defendedAt = :defendedAt,
       closedAt = :closedAt, updatedAt = :updatedAt WHERE disputeId = :disputeId`,
  )
  const count = db.prepare("SELECT count(*) AS total FROM disputes WHERE openedAt BETWEEN ? AND ?")
  const page = db.prepare(
    `SELECT ${columns} FROM disputes WHERE openedAt BETWEEN ? AND ? ORDER BY openedAt, id LIMIT ? OFFSET ?`,
  )
  const newest = db.prepare(`SELECT ${columns} FROM disputes ORDER BY id DESC LIMIT ?`)

  return {
    find: (disputeId: string) => byId.get(disputeId) as Dispute | undefined,
    insert(dispute: Dispute): void {
      insert.run(dispute)
    },
    update({ disputeId, status, defence, analysis, defendedAt, closedAt, updatedAt }: Dispute): void {
      update.run({ disputeId, status, defence, analysis, defendedAt, closedAt, updatedAt })
    },
    count: (from: number, to: number): number => Number(count.get(from, to)?.["total"]),
    page: (from: number, to: number, limit: number, offset: number) => page.all(from, to, limit, offset) as Dispute[],
    newest: (limit: number) => newest.all(limit) as Dispute[],
  }
}
