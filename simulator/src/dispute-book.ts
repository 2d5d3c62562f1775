import type { DatabaseSync } from "node:sqlite"

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
