import { randomInt } from "node:crypto"
import { chmodSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

const schema = `
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE IF NOT EXISTS charges (
    locationId INTEGER PRIMARY KEY,
    txid TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    revision INTEGER NOT NULL,
    createdAt INTEGER NOT NULL,
    lifetimeSeconds INTEGER NOT NULL,
    amountCents INTEGER NOT NULL,
    receiverKey TEXT NOT NULL,
    location TEXT NOT NULL UNIQUE,
    pixCode TEXT NOT NULL,
    details TEXT NOT NULL,
    requested TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS charges_by_creation ON charges (createdAt, locationId);

  CREATE TABLE IF NOT EXISTS payments (
    id INTEGER PRIMARY KEY,
    endToEndId TEXT NOT NULL UNIQUE,
    txid TEXT,
    amountCents INTEGER NOT NULL,
    receiverKey TEXT NOT NULL,
    payerNote TEXT,
    paidAt INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS payments_by_time ON payments (paidAt, id);
  CREATE INDEX IF NOT EXISTS payments_by_txid ON payments (txid);

  CREATE TABLE IF NOT EXISTS due_charges (
    locationId INTEGER PRIMARY KEY,
    txid TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    createdAt INTEGER NOT NULL,
    location TEXT NOT NULL UNIQUE,
    pixCode TEXT NOT NULL,
    revisions TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS due_charges_by_creation ON due_charges (createdAt, locationId);

  CREATE TABLE IF NOT EXISTS payment_parts (
    endToEndId TEXT PRIMARY KEY REFERENCES payments (endToEndId),
    parts TEXT NOT NULL
  ) STRICT;

  CREATE TABLE IF NOT EXISTS payouts (
    id INTEGER PRIMARY KEY,
    sendId TEXT NOT NULL UNIQUE,
    endToEndId TEXT NOT NULL UNIQUE,
    amountCents INTEGER NOT NULL,
    payeeKey TEXT NOT NULL,
    payerNote TEXT,
    requestedAt INTEGER NOT NULL,
    settlesAt INTEGER NOT NULL,
    refusal TEXT,
    requested TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS payouts_by_time ON payouts (requestedAt, id);

  CREATE TABLE IF NOT EXISTS payout_returns (
    sendId TEXT PRIMARY KEY REFERENCES payouts (sendId),
    returnId TEXT NOT NULL UNIQUE,
    returnedCents INTEGER NOT NULL,
    returnsAt INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE IF NOT EXISTS account_entries (
    id INTEGER PRIMARY KEY,
    amountCents INTEGER NOT NULL,
    bookedAt INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE IF NOT EXISTS refunds (
    id INTEGER PRIMARY KEY,
    endToEndId TEXT NOT NULL REFERENCES payments (endToEndId),
    refundId TEXT NOT NULL,
    returnId TEXT NOT NULL UNIQUE,
    amountCents INTEGER NOT NULL,
    nature TEXT NOT NULL,
    payerNote TEXT,
    requestedAt INTEGER NOT NULL,
    settlesAt INTEGER NOT NULL,
    refusal TEXT,
    UNIQUE (endToEndId, refundId)
  ) STRICT;

  CREATE TABLE IF NOT EXISTS disputes (
    id INTEGER PRIMARY KEY,
    disputeId TEXT NOT NULL UNIQUE,
    endToEndId TEXT NOT NULL REFERENCES payments (endToEndId),
    amountCents INTEGER NOT NULL,
    status TEXT NOT NULL,
    situation TEXT NOT NULL,
    comment TEXT,
    defence TEXT,
    analysis TEXT,
    openedAt INTEGER NOT NULL,
    respondUntil INTEGER NOT NULL,
    defendedAt INTEGER,
    closedAt INTEGER,
    updatedAt INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS disputes_by_opening ON disputes (openedAt, id);

  CREATE TABLE IF NOT EXISTS records (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    alias TEXT,
    status TEXT NOT NULL,
    recurrenceId TEXT,
    debtor TEXT,
    createdAt INTEGER NOT NULL,
    dueAt INTEGER,
    content TEXT NOT NULL,
    UNIQUE (kind, id)
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS records_by_alias ON records (kind, alias) WHERE alias IS NOT NULL;
  CREATE INDEX IF NOT EXISTS records_of_recurrence ON records (recurrenceId, kind, number);
  CREATE INDEX IF NOT EXISTS records_by_due ON records (kind, dueAt, number) WHERE dueAt IS NOT NULL;
  CREATE INDEX IF NOT EXISTS records_by_creation ON records (kind, createdAt, number);

  CREATE TABLE IF NOT EXISTS webhooks (
    receiverKey TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    createdAt INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE IF NOT EXISTS notices (
    id INTEGER PRIMARY KEY,
    receiverKey TEXT NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    body TEXT NOT NULL,
    suffix TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    createdAt INTEGER NOT NULL,
    dueAt INTEGER NOT NULL,
    heldFor TEXT,
    settledAt INTEGER,
    lastAnswer TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS notices_by_due ON notices (dueAt, id) WHERE settledAt IS NULL;
  CREATE INDEX IF NOT EXISTS notices_held ON notices (heldFor) WHERE heldFor IS NOT NULL;
  DROP TABLE IF EXISTS deliveries;
`

export type Books = {
  db: DatabaseSync
  /** Runs the work in a transaction; the promise settles only once the disk has it. */
  write<T>(work: () => T): Promise<T>
  close(): void
}

type PendingWrite = { run(): void; settle(commitError?: unknown): void }

/** Concurrent writes share one commit, so a hundred payments at once wait for the disk once. */
export function openBooks(dataDir: string, { isDurable = true } = {}): Books {
  const db = openDatabase(dataDir, isDurable)
  let pending: PendingWrite[] = []

  function commitPending(): void {
    const batch = pending
    pending = []
    if (batch.length === 0) return
    try {
      db.exec("BEGIN IMMEDIATE")
      for (const write of batch) write.run()
      db.exec("COMMIT")
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK")
      for (const write of batch) write.settle(error)
      return
    }
    for (const write of batch) write.settle()
  }

  return {
    db,
    write<T>(work: () => T): Promise<T> {
      if (!db.isOpen) return Promise.reject(new Error("the books are closed"))
      return new Promise<T>((resolve, reject) => {
        if (pending.length === 0) setImmediate(commitPending)
        pending.push(pendingWrite(db, work, resolve, reject))
      })
    },
    close() {
      commitPending()
      db.close()
    },
  }
}

function pendingWrite<T>(
  db: DatabaseSync,
  work: () => T,
  resolve: (value: T) => void,
  reject: (reason: unknown) => void,
): PendingWrite {
  let outcome: { value: T } | { failure: unknown } | undefined
  return {
    run() {
      db.exec("SAVEPOINT one_write")
      try {
        outcome = { value: work() }
      } catch (failure) {
        outcome = { failure }
        db.exec("ROLLBACK TO one_write")
      }
      db.exec("RELEASE one_write")
    },
    settle(commitError) {
      if (outcome === undefined || commitError !== undefined) reject(commitError)
      else if ("failure" in outcome) reject(outcome.failure)
      else resolve(outcome.value)
    },
  }
}

function openDatabase(dataDir: string, isDurable: boolean): DatabaseSync {
  if (mkdirSync(dataDir, { recursive: true }) !== undefined) chmodSync(dataDir, 0o700)
  const path = join(dataDir, "simulator.sqlite")
  const db = new DatabaseSync(path, { timeout: 2000 })
  try {
    db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL")
    db.exec(`PRAGMA synchronous = ${isDurable ? "FULL" : "OFF"}`)
    db.exec(schema)
  } catch (cause) {
    db.close()
    throw new Error(`Os livros do simulador em ${path} não puderam ser abertos; outro simulador os usa?`, { cause })
  }
  return db
}

const valorPattern = /^(\d{1,10})\.(\d{2})$/

/** The standard's `valor` ("100.00") as centavos; undefined when it is not one. */
export function centsFromValor(valor: string): number | undefined {
  const match = valorPattern.exec(valor)
  return match === null ? undefined : Number(`${match[1]}${match[2]}`)
}

export function valorFromCents(amountCents: number): string {
  const digits = String(amountCents).padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

export function randomAlphanumerics(length: number): string {
  return Array.from({ length }, () => alphanumerics[randomInt(alphanumerics.length)]).join("")
}

/** The latest date that a Date can hold: an outcome due then stays under way until it is released by hand. */
export const never = 8_640_000_000_000_000
