import type { DatabaseSync } from "node:sqlite"
import type { Page } from "./problem.ts"

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

export type Webhook = { receiverKey: string; url: string; createdAt: number }

export type Delivery = { id: number; url: string; suffix: string; body: string; attempts: number; createdAt: number }

/** A notice and the state of its delivery. */
export type Notice = {
  id: number
  body: string
  attempts: number
  createdAt: number
  dueAt: number
  settledAt: number | null
  lastAnswer: string | null
}

type NewNotice = {
  receiverKey: string
  body: string
  now: number
  dueAt?: number
  /** The suffix that the standard appends to the registered address. */
  suffix?: string
  /** Held until the next notice of this name ('*' for any), and sent after it. */
  heldFor?: string
  /** Set when it is never sent: the reason. */
  lostBecause?: string
}

export type WebhookBook = ReturnType<typeof openWebhookBook>

const noticeColumns = "id, body, attempts, createdAt, dueAt, settledAt, lastAnswer"

/** One webhook per key, and its notices: owed, delivered and lost. */
export function openWebhookBook(db: DatabaseSync) {
  return { ...openRegistrations(db), ...openNotices(db) }
}

function openRegistrations(db: DatabaseSync) {
  const find = db.prepare("SELECT * FROM webhooks WHERE receiverKey = ?")
  const between = db.prepare("SELECT * FROM webhooks WHERE createdAt BETWEEN ? AND ? ORDER BY createdAt, receiverKey")
  const upsert = db.prepare(
    `INSERT INTO webhooks (receiverKey, url, createdAt) VALUES (:receiverKey, :url, :createdAt)
     ON CONFLICT (receiverKey) DO UPDATE SET url = excluded.url, createdAt = excluded.createdAt`,
  )
  const remove = db.prepare("DELETE FROM webhooks WHERE receiverKey = ?")
  const hurry = db.prepare("UPDATE notices SET dueAt = ? WHERE receiverKey = ? AND attempts > 0 AND settledAt IS NULL")

  return {
    find: (receiverKey: string) => find.get(receiverKey) as Webhook | undefined,
    between: (from: number, to: number) => between.all(from, to) as Webhook[],

    /** A newly registered address is tried at once, whatever the old one's back-off was. */
    register(webhook: Webhook): void {
      upsert.run(webhook)
      hurry.run(webhook.createdAt, webhook.receiverKey)
    },
    remove: (receiverKey: string): boolean => remove.run(receiverKey).changes === 1,
  }
}

function openNotices(db: DatabaseSync) {
  const owe = db.prepare(
    `INSERT INTO notices (receiverKey, body, suffix, attempts, createdAt, dueAt, heldFor, settledAt, lastAnswer)
     VALUES (:receiverKey, :body, :suffix, 0, :now, :dueAt, :heldFor, :settledAt, :lostBecause)`,
  )
  const due = db.prepare(
    `SELECT notices.id, url, suffix, body, attempts, notices.createdAt FROM notices JOIN webhooks USING (receiverKey)
     WHERE settledAt IS NULL AND dueAt <= ? ORDER BY dueAt, notices.id LIMIT ?`,
  )
  const nextDue = db.prepare("SELECT min(dueAt) AS dueAt FROM notices WHERE settledAt IS NULL AND dueAt > ?")
  const settle = db.prepare("UPDATE notices SET attempts = attempts + 1, settledAt = ?, lastAnswer = ? WHERE id = ?")
  const forget = db.prepare("UPDATE notices SET settledAt = ?, lastAnswer = ? WHERE settledAt IS NULL")
  const postpone = db.prepare("UPDATE notices SET attempts = attempts + 1, dueAt = ?, lastAnswer = ? WHERE id = ?")
  const release = db.prepare("UPDATE notices SET dueAt = ?, heldFor = NULL WHERE heldFor = ? AND settledAt IS NULL")
  const resend = db.prepare("UPDATE notices SET dueAt = ?, settledAt = NULL, heldFor = NULL WHERE id = ?")
  const newest = db.prepare(`SELECT ${noticeColumns} FROM notices ORDER BY id DESC LIMIT ?`)

  return {
    owe({ dueAt, suffix = "/pix", heldFor, lostBecause, ...notice }: NewNotice): void {
      const settledAt = lostBecause === undefined ? null : notice.now
      const words = { suffix, heldFor: heldFor ?? null, lostBecause: lostBecause ?? null }
      owe.run({ ...notice, ...words, dueAt: dueAt ?? notice.now, settledAt })
    },
    due: (now: number, limit: number) => due.all(now, limit) as Delivery[],
    nextDueAfter: (now: number) => (nextDue.get(now) as { dueAt: number | null }).dueAt,
    settle(id: number, now: number, answer: string): void {
      settle.run(now, answer, id)
    },
    /** Marks owed notices as lost. */
    forgetOwed(now: number): void {
      forget.run(now, "perdido: os avisos foram desligados")
    },
    postpone(id: number, dueAt: number, answer: string): void {
      postpone.run(dueAt, answer, id)
    },
    releaseHeld(heldFor: string, dueAt: number): void {
      release.run(dueAt, heldFor)
    },
    /** False when there is no such notice. */
    resend: (id: number, now: number): boolean => resend.run(now, id).changes === 1,
    newest: (limit: number) => newest.all(limit) as Notice[],
  }
}

export type SettingsBook = ReturnType<typeof openSettingsBook>

export function openSettingsBook(db: DatabaseSync) {
  const select = db.prepare("SELECT value FROM settings WHERE name = ?")
  const upsert = db.prepare(
    "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  )
  return {
    find(name: string): string | undefined {
      const row = select.get(name) as { value: string } | undefined
      return row?.value
    },
    store(name: string, value: string): void {
      upsert.run(name, value)
    },
  }
}
