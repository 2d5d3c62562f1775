import type { DatabaseSync } from "node:sqlite"

export type Payment = {
  endToEndId: string
  txid: string | null
  amountCents: number
  receiverKey: string
  payerNote: string | null
  paidAt: number
}

type PaymentFilter = {
  from: number
  to: number
  txid?: string | undefined
  hasTxid?: boolean | undefined
  hasRefund?: boolean | undefined
}

export type PaymentBook = ReturnType<typeof openPaymentBook>

const columns = "endToEndId, txid, amountCents, receiverKey, payerNote, paidAt"
const filtered = `FROM payments WHERE paidAt BETWEEN :from AND :to
  AND (:txid IS NULL OR txid = :txid)
  AND (:hasTxid IS NULL OR (txid IS NOT NULL) = :hasTxid)
  AND (:hasRefund IS NULL OR EXISTS (SELECT 1 FROM refunds WHERE refunds.endToEndId = payments.endToEndId) = :hasRefund)`

export function openPaymentBook(db: DatabaseSync) {
  const byEndToEndId = db.prepare(`SELECT ${columns} FROM payments WHERE endToEndId = ?`)
  const ofTxid = db.prepare(`SELECT ${columns} FROM payments WHERE txid = ? ORDER BY paidAt, id`)
  const insert = db.prepare(
    `INSERT INTO payments (${columns}) VALUES (:endToEndId, :txid, :amountCents, :receiverKey, :payerNote, :paidAt)`,
  )
  const count = db.prepare(`SELECT count(*) AS total ${filtered}`)
  const newest = db.prepare(`SELECT ${columns} FROM payments ORDER BY id DESC LIMIT ?`)
  const page = db.prepare(`SELECT ${columns} ${filtered} ORDER BY paidAt, id LIMIT :limit OFFSET :offset`)

  return {
    find: (endToEndId: string) => byEndToEndId.get(endToEndId) as Payment | undefined,
    ofTxid: (txid: string) => ofTxid.all(txid) as Payment[],
    insert(payment: Payment): void {
      insert.run(payment)
    },
    count: (filter: PaymentFilter): number => Number(count.get(parameters(filter))?.total),
    newest: (limit: number) => newest.all(limit) as Payment[],
    page: (filter: PaymentFilter, limit: number, offset: number) =>
      page.all({ ...parameters(filter), limit, offset }) as Payment[],
  }
}

function parameters({ from, to, txid, hasTxid, hasRefund }: PaymentFilter) {
  return { from, to, txid: txid ?? null, hasTxid: flag(hasTxid), hasRefund: flag(hasRefund) }
}

function flag(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value)
}
