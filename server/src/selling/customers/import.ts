import { type CustomerImport, createCustomerBody, type ImportedRow } from "@tilinta/contract/customers"
import type { ImportOutcome } from "@tilinta/contract/vocabulary/customers"
import { safeParse } from "zod/v4/core"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import type { FieldProblem } from "#kit/errors"
import { newId } from "#kit/ids"
import { yieldWhenBusy } from "#kit/waiting-line"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { readCustomersFile } from "./import-file.ts"
import { findCustomersAlike } from "./reads.ts"
import { type Customer, type CustomerFields, createCustomerFinder, customerFieldsFrom } from "./rules.ts"
import { insertCustomers, lockCustomersOf } from "./table.ts"

type Checked = { line: number; name: string } & ({ fields: CustomerFields } | { errors: FieldProblem[] })

interface Import {
  seller: Actor
  file: Buffer
  /** Enters nobody. */
  isDryRun: boolean
}

/**
 * Enters the customers of a CSV file whom the seller doesn't have yet, all at once. Rows that are known stay as they are,
 * and those with faults are left out, so the same file may be sent again. @throws validation_failed
 */
export async function importCustomers(
  { db, clock }: { db: Db; clock: Clock },
  { seller, file, isDryRun }: Import,
): Promise<CustomerImport> {
  const { rows, ignoredColumns } = await readCustomersFile(file)
  const checked: Checked[] = []
  for (const { line, body, hasMoreCells } of rows) {
    if (line % 100 === 0) await yieldWhenBusy()
    checked.push({ line, name: typeof body["name"] === "string" ? body["name"] : "", ...check(body, hasMoreCells) })
  }
  const batch = { seller, checked }
  const now = clock.now()
  const sorted = isDryRun
    ? await sortOut(db, batch, now)
    : await db.transaction().execute((tx) => enterNew(tx, batch, now))
  return { rows: sorted.rows, counts: countsOf(sorted.rows), ignoredColumns }
}

function check(body: object, hasMoreCells: boolean): { fields: CustomerFields } | { errors: FieldProblem[] } {
  if (hasMoreCells) return { errors: [{ path: "", message: "A linha tem mais colunas do que a primeira." }] }
  const { success, data, error } = safeParse(createCustomerBody, body)
  if (success) return { fields: customerFieldsFrom(data) }
  const problems = error.issues.map(({ path, message }) => ({ path: path.join("."), message }))
  return { errors: problems.filter(({ path }, at) => problems.findIndex((each) => each.path === path) === at) }
}

interface Batch {
  seller: Actor
  checked: readonly Checked[]
}

async function enterNew(tx: Tx, batch: Batch, now: Date): Promise<Sorted> {
  await lockCustomersOf(tx, batch.seller.id)
  const sorted = await sortOut(tx, batch, now)
  if (sorted.fresh.length === 0) return sorted
  await insertCustomers(tx, sorted.fresh)
  await recordAudit(tx, {
    actor: batch.seller,
    happenedAt: now,
    action: "customers.imported",
    entity: "list",
    entityId: "customers",
    before: null,
    after: countsOf(sorted.rows),
  })
  return sorted
}

interface Sorted {
  rows: ImportedRow[]
  fresh: Customer[]
}

async function sortOut(db: Db, { seller, checked }: Batch, now: Date): Promise<Sorted> {
  const sent = checked.flatMap((row) => ("fields" in row ? [row.fields] : []))
  const names = sent.filter(isNamedAlone).map(({ name }) => name)
  const judge = createJudge(await findCustomersAlike(db, seller.id, { identities: sent, names }))
  const sorted: Sorted = { rows: [], fresh: [] }
  for (const { line, name, ...row } of checked) {
    const verdict = "errors" in row ? { outcome: "invalid" as const, errors: row.errors } : judge(row.fields)
    sorted.rows.push({ line, name, ...verdict })
    if (verdict.outcome !== "new" || !("fields" in row)) continue
    const dates = { createdAt: now, updatedAt: now, archivedAt: null }
    sorted.fresh.push({ ...row.fields, id: newId(), sellerId: seller.id, ...dates })
  }
  return sorted
}

/** Says what becomes of one row after the other: it may be the same as one above. */
function createJudge(alike: readonly CustomerFields[]) {
  const finder = createCustomerFinder(alike)
  const called = new Set(alike.map(calling))
  return (fields: CustomerFields): Pick<ImportedRow, "outcome" | "errors"> => {
    const isKnown = finder.find(fields) !== undefined || (isNamedAlone(fields) && called.has(calling(fields)))
    if (isKnown) return { outcome: "known", errors: [] }
    if (finder.isReferenceTaken(fields.externalReference)) return { outcome: "invalid", errors: [referenceTaken] }
    finder.add(fields)
    called.add(calling(fields))
    return { outcome: "new", errors: [] }
  }
}

const referenceTaken = { path: "externalReference", message: "Outro cliente já tem esta referência." }

/** A list of names and phones has nothing else by which it could be known when it comes twice. */
function isNamedAlone({ document, email, externalReference }: CustomerFields): boolean {
  return document === null && email === null && externalReference === null
}

function calling({ name, phone }: CustomerFields): string {
  return `${name.toLowerCase()} ${phone ?? ""}`
}

function countsOf(rows: readonly ImportedRow[]): Record<ImportOutcome, number> {
  const counts = { new: 0, known: 0, invalid: 0 }
  for (const { outcome } of rows) counts[outcome] += 1
  return counts
}
