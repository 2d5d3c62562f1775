import type { DatabaseSync } from "node:sqlite"
import type { Page } from "./list-query.ts"

export type Payout = {
  sendId: string
  endToEndId: string
  amountCents: number
  payeeKey: string
  payerNote: string | null
  requestedAt: number
  /** The outcome is known from this moment on; before it, the payout is under way. */
  settlesAt: number
  /** Null when the money arrives. */
  refusal: string | null
  /** The PUT's body in canonical form, by which a repeated request is recognised. */
  requested: string
}

/** Times of request, both inclusive. */
type PayoutWindow = { from: number; to: number }

export type PayoutBook = ReturnType<typeof openPayoutBook>

const columns = "sendId, endToEndId, amountCents, payeeKey, payerNote, requestedAt, settlesAt, refusal, requested"

export function openPayoutBook(db: DatabaseSync) {
  const bySendId = db.prepare(`SELECT ${columns} FROM payouts WHERE sendId = ?`)
  const insert = db.prepare(
    `INSERT INTO payouts (${columns}) VALUES (:sendId, :endToEndId, :amountCents, :payeeKey, :payerNote, :requestedAt, :settlesAt, :refusal, :requested)`,
  )
  const settle = db.prepare("UPDATE payouts SET settlesAt = :settlesAt, refusal = :refusal WHERE sendId = :sendId")
  const within = "FROM payouts WHERE requestedAt BETWEEN :from AND :to"
  const count = db.prepare(`SELECT count(*) AS total ${within}`)
  const page = db.prepare(`SELECT ${columns} ${within} ORDER BY requestedAt, id LIMIT :limit OFFSET :offset`)
  const newest = db.prepare(`SELECT ${columns} FROM payouts ORDER BY id DESC LIMIT ?`)

  return {
    find: (sendId: string) => bySendId.get(sendId) as Payout | undefined,
    insert(payout: Payout): void {
      insert.run(payout)
    },
    settle({ sendId, settlesAt, refusal }: Payout): void {
      settle.run({ sendId, settlesAt, refusal })
    },
    count: (window: PayoutWindow): number => Number(count.get(window)?.total),
    page: (window: PayoutWindow, { limit, offset }: Page) => page.all({ ...window, limit, offset }) as Payout[],
    newest: (limit: number) => newest.all(limit) as Payout[],
  }
}
