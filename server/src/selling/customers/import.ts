import { type CustomerImport, createCustomerBody, type ImportedRow } from "@tilinta/contract/customers"
import { IMPORT_MAX_ROWS, type ImportOutcome } from "@tilinta/contract/vocabulary/customers"
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
  const { rows, ignoredColumns } = await readCustomersFile(file, IMPORT_MAX_ROWS)
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

/** A row may be the same as one above it. */
async function sortOut(db: Db, { seller, checked }: Batch, now: Date): Promise<Sorted> {
  const sent = checked.flatMap((row) => ("fields" in row ? [row.fields] : []))
  const names = sent.filter(isNamedAlone).map(({ name }) => name)
  const alike = await findCustomersAlike(db, seller.id, { identities: sent, names })
  const finder = createCustomerFinder<CustomerFields>(alike)
  const called = new Set(alike.map(calling))
  const sorted: Sorted = { rows: [], fresh: [] }
  for (const row of checked) {
    const { line, name } = row
    const add = (outcome: ImportOutcome, errors: FieldProblem[] = []) => sorted.rows.push({ line, name, outcome, errors })
    if ("errors" in row) add("invalid", row.errors)
    else if (isKnown(row.fields)) add("known")
    else if (finder.isReferenceTaken(row.fields.externalReference)) add("invalid", [referenceTaken])
    else {
      add("new")
      finder.add(row.fields)
      called.add(calling(row.fields))
      sorted.fresh.push({
        ...row.fields,
        ...{ id: newId(), sellerId: seller.id, createdAt: now, updatedAt: now, archivedAt: null },
      })
    }
  }
  return sorted

  function isKnown(fields: CustomerFields): boolean {
    return finder.find(fields) !== undefined || (isNamedAlone(fields) && called.has(calling(fields)))
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
