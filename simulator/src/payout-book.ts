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
  /** Null unless its receiver sends it back: whole, or this part of it, from that moment on. */
  returnId: string | null
  returnedCents: number | null
  returnsAt: number | null
}

export type PayoutReturn = { sendId: string; returnId: string; amountCents: number; returnsAt: number }

type NewPayout = Omit<Payout, "returnId" | "returnedCents" | "returnsAt">

/** Times of request, both inclusive. */
type PayoutWindow = { from: number; to: number }

export type PayoutBook = ReturnType<typeof openPayoutBook>

const own = "sendId, endToEndId, amountCents, payeeKey, payerNote, requestedAt, settlesAt, refusal, requested"
const columns = `${own}, returnId, returnedCents, returnsAt`
const source = "payouts LEFT JOIN payout_returns USING (sendId)"

export function openPayoutBook(db: DatabaseSync) {
  const bySendId = db.prepare(`SELECT ${columns} FROM ${source} WHERE sendId = ?`)
  const insert = db.prepare(
    `INSERT INTO payouts (${own}) VALUES (:sendId, :endToEndId, :amountCents, :payeeKey, :payerNote, :requestedAt, :settlesAt, :refusal, :requested)`,
  )
  const settle = db.prepare("UPDATE payouts SET settlesAt = :settlesAt, refusal = :refusal WHERE sendId = :sendId")
  const giveBack = db.prepare("INSERT INTO payout_returns VALUES (:sendId, :returnId, :amountCents, :returnsAt)")
  const within = `FROM ${source} WHERE requestedAt BETWEEN :from AND :to`
  const count = db.prepare(`SELECT count(*) AS total ${within}`)
  const page = db.prepare(`SELECT ${columns} ${within} ORDER BY requestedAt, id LIMIT :limit OFFSET :offset`)
  const newest = db.prepare(`SELECT ${columns} FROM ${source} ORDER BY id DESC LIMIT ?`)

  return {
    find: (sendId: string) => bySendId.get(sendId) as Payout | undefined,
    insert(payout: NewPayout): Payout {
      insert.run(payout)
      return { ...payout, returnId: null, returnedCents: null, returnsAt: null }
    },
    giveBack(returned: PayoutReturn): void {
      giveBack.run(returned)
    },
    settle({ sendId, settlesAt, refusal }: Payout): void {
      settle.run({ sendId, settlesAt, refusal })
    },
    count: (window: PayoutWindow): number => Number(count.get(window)?.total),
    page: (window: PayoutWindow, { limit, offset }: Page) => page.all({ ...window, limit, offset }) as Payout[],
    newest: (limit: number) => newest.all(limit) as Payout[],
  }
}
