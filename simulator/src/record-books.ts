import type { DatabaseSync } from "node:sqlite"
import { never } from "./books.ts"

/** Columns by which records are found; the rest of a record is in its JSON. */
type Found = {
  id: string
  /** Another name of it, such as its address. */
  alias: string | null
  status: string
  recurrenceId: string | null
  /** The debtor's CPF or CNPJ. */
  debtor: string | null
  createdAt: number
  /** The moment at which something happens to it by itself; null when nothing will. */
  dueAt: number | null
}

type RecordFilter = {
  from: number
  to: number
  status?: string | undefined
  debtor?: string | undefined
  recurrenceId?: string | undefined
  hasRecurrence?: boolean | undefined
}

const filtered = `FROM records WHERE kind = :kind AND createdAt BETWEEN :from AND :to
  AND (:status IS NULL OR status = :status) AND (:debtor IS NULL OR debtor = :debtor)
  AND (:recurrenceId IS NULL OR recurrenceId = :recurrenceId)
  AND (:hasRecurrence IS NULL OR (recurrenceId IS NOT NULL) = :hasRecurrence)`

/** One kind of the records of Pix Automático: recurrences, their locations and requests, debits. */
export function openRecordBook<Content extends Found>(
  db: DatabaseSync,
  kind: "recurrence" | "location" | "request" | "debit",
) {
  const find = db.prepare("SELECT content FROM records WHERE kind = ? AND id = ?")
  const findAlias = db.prepare("SELECT content FROM records WHERE kind = ? AND alias = ?")
  const store = db.prepare(
    `INSERT INTO records (kind, id, alias, status, recurrenceId, debtor, createdAt, dueAt, content)
     VALUES (:kind, :id, :alias, :status, :recurrenceId, :debtor, :createdAt, :dueAt, :content)
     ON CONFLICT (kind, id) DO UPDATE SET status = excluded.status, recurrenceId = excluded.recurrenceId,
       dueAt = excluded.dueAt, content = excluded.content`,
  )
  const ofRecurrence = db.prepare("SELECT content FROM records WHERE kind = ? AND recurrenceId = ? ORDER BY number")
  const due = db.prepare("SELECT content FROM records WHERE kind = ? AND dueAt <= ? ORDER BY dueAt, number LIMIT 1")
  const count = db.prepare(`SELECT count(*) AS total ${filtered}`)
  const page = db.prepare(`SELECT content ${filtered} ORDER BY createdAt, number LIMIT :limit OFFSET :offset`)
  const newest = db.prepare("SELECT content FROM records WHERE kind = ? ORDER BY number DESC LIMIT ?")
  const read = (row: unknown) =>
    row === undefined ? undefined : (JSON.parse((row as { content: string }).content) as Content)
  const all = (rows: unknown[]) => rows.flatMap((row) => read(row) ?? [])
  const parameters = ({ from, to, status, debtor, recurrenceId, hasRecurrence }: RecordFilter) => ({
    ...{ kind, from, to, status: status ?? null, debtor: debtor ?? null, recurrenceId: recurrenceId ?? null },
    hasRecurrence: hasRecurrence === undefined ? null : Number(hasRecurrence),
  })

  return {
    find: (id: string) => read(find.get(kind, id)),
    findByAlias: (alias: string) => read(findAlias.get(kind, alias)),
    /** Stores it anew or as it is now. */
    store(record: Content): Content {
      const { id, alias, status, recurrenceId, debtor, createdAt, dueAt } = record
      const columns = { kind, id, alias, status, recurrenceId, debtor, createdAt, dueAt }
      store.run({ ...columns, content: JSON.stringify(record) })
      return record
    },
    ofRecurrence: (recurrenceId: string) => all(ofRecurrence.all(kind, recurrenceId)),
    /** The first to which something should have happened by now. */
    nextDue: (now: number) => read(due.get(kind, Math.min(now, never))),
    count: (filter: RecordFilter) => Number(count.get(parameters(filter))?.["total"]),
    page: (filter: RecordFilter, limit: number, offset: number) =>
      all(page.all({ ...parameters(filter), limit, offset })),
    newest: (limit: number) => all(newest.all(kind, limit)),
  }
}
