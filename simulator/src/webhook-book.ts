import type { DatabaseSync } from "node:sqlite"

export type Webhook = { receiverKey: string; url: string; createdAt: number }

export type Delivery = { id: number; url: string; body: string; attempts: number; createdAt: number }

export type WebhookBook = ReturnType<typeof openWebhookBook>

/** One webhook per key, and the notices that it is still owed. */
export function openWebhookBook(db: DatabaseSync) {
  const find = db.prepare("SELECT * FROM webhooks WHERE receiverKey = ?")
  const between = db.prepare("SELECT * FROM webhooks WHERE createdAt BETWEEN ? AND ? ORDER BY createdAt, receiverKey")
  const upsert = db.prepare(
    `INSERT INTO webhooks (receiverKey, url, createdAt) VALUES (:receiverKey, :url, :createdAt)
     ON CONFLICT (receiverKey) DO UPDATE SET url = excluded.url, createdAt = excluded.createdAt`,
  )
  const remove = db.prepare("DELETE FROM webhooks WHERE receiverKey = ?")
  const owe = db.prepare(
    "INSERT INTO deliveries (receiverKey, body, attempts, createdAt, dueAt) VALUES (:receiverKey, :body, 0, :now, :dueAt)",
  )
  const due = db.prepare(
    `SELECT deliveries.id, url, body, attempts, deliveries.createdAt FROM deliveries JOIN webhooks USING (receiverKey)
     WHERE dueAt <= ? ORDER BY dueAt, deliveries.id LIMIT ?`,
  )
  const nextDue = db.prepare("SELECT min(dueAt) AS dueAt FROM deliveries WHERE dueAt > ?")
  const settle = db.prepare("DELETE FROM deliveries WHERE id = ?")
  const forget = db.prepare("DELETE FROM deliveries")
  const postpone = db.prepare("UPDATE deliveries SET attempts = attempts + 1, dueAt = ? WHERE id = ?")
  const hurry = db.prepare("UPDATE deliveries SET dueAt = ? WHERE receiverKey = ? AND attempts > 0")

  return {
    find: (receiverKey: string) => find.get(receiverKey) as Webhook | undefined,
    between: (from: number, to: number) => between.all(from, to) as Webhook[],

    /** A newly registered address is worth trying at once, whatever the old one's backoff was. */
    register(webhook: Webhook): void {
      upsert.run(webhook)
      hurry.run(webhook.createdAt, webhook.receiverKey)
    },
    remove: (receiverKey: string): boolean => remove.run(receiverKey).changes === 1,

    owe(receiverKey: string, body: string, now: number, dueAt = now): void {
      owe.run({ receiverKey, body, now, dueAt })
    },
    due: (now: number, limit: number) => due.all(now, limit) as Delivery[],
    nextDueAfter: (now: number) => (nextDue.get(now) as { dueAt: number | null }).dueAt,
    settle(id: number): void {
      settle.run(id)
    },
    /** What is owed is lost. */
    forgetOwed(): void {
      forget.run()
    },
    postpone(id: number, dueAt: number): void {
      postpone.run(dueAt, id)
    },
  }
}
