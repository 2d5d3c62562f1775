import { isDeepStrictEqual } from "node:util"
import type { UpdateCustomerBody } from "@tilinta/contract/customers"
import type { AuditAction } from "@tilinta/contract/vocabulary/audit"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError, type FieldProblem } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { workThrough } from "#platform/retention/retention"
import { readDays } from "#platform/settings/reads"
import { findSameCustomer, findTakenFields, type OwnCustomer, readCustomer } from "./reads.ts"
import { type Customer, type CustomerFields, withCustomerChanges } from "./rules.ts"
import {
  eraseCustomersAsking,
  eraseCustomersUnused,
  insertCustomers,
  lockCustomersOf,
  markCustomerUsed,
  updateCustomerRow,
} from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

/** The seller, or the API key that acts for them. */
interface NewCustomer {
  seller: Actor
  fields: CustomerFields
}

/** @throws customer_document_taken, external_reference_taken */
export async function registerCustomer(
  { db, clock }: Deps,
  input: NewCustomer & { idempotencyKey: string | null },
): Promise<Customer> {
  return db.transaction().execute((tx) => register(tx, input, clock.now()))
}

async function register(
  tx: Tx,
  { seller, fields, idempotencyKey }: NewCustomer & { idempotencyKey: string | null },
  now: Date,
): Promise<Customer> {
  const claim = { ownerId: seller.id, key: idempotencyKey, request: { customer: fields }, resourceId: newId() }
  const id = await claimIdempotencyKey(tx, claim)
  if (id !== claim.resourceId) return readCustomer(tx, { sellerId: seller.id, id })
  await lockCustomersOf(tx, seller.id)
  return insertNew(tx, { id, seller, fields }, now)
}

/**
 * The customer whom the seller has already by this document, e-mail or reference, as they are; else a new one. Waits for
 * whoever enters customers of this seller, so call it before other rows are locked.
 * @throws external_reference_taken
 */
export async function createCustomer(
  tx: Tx,
  { seller, fields }: NewCustomer,
  now: Date,
): Promise<Customer & { isNew: boolean }> {
  await lockCustomersOf(tx, seller.id)
  const known = await findSameCustomer(tx, seller.id, fields)
  const customer = known ?? (await insertNew(tx, { id: newId(), seller, fields }, now))
  return { ...customer, isNew: known === null }
}

async function insertNew(tx: Tx, { id, seller, fields }: NewCustomer & { id: string }, now: Date): Promise<Customer> {
  const customer = { ...fields, id, sellerId: seller.id, createdAt: now, updatedAt: now, archivedAt: null }
  await refuseTaken(tx, customer)
  await insertCustomers(tx, [customer])
  await record(tx, { actor: seller, action: "customer.created", id, now })
  return customer
}

async function refuseTaken(tx: Tx, customer: Customer): Promise<void> {
  const taken = await findTakenFields(tx, customer)
  if (taken.document) throw refusal("customer_document_taken", documentTaken)
  if (taken.externalReference) throw refusal("external_reference_taken", referenceTaken)
}

const documentTaken = { path: "document", message: "Você já tem um cliente com este CPF ou CNPJ." }
const referenceTaken = { path: "externalReference", message: "Você já tem um cliente com esta referência." }

function refusal(code: "customer_document_taken" | "external_reference_taken", problem: FieldProblem): DomainError {
  return new DomainError(code, { message: problem.message, errors: [problem] })
}

/** Marks that they were charged: their data are kept for longer, and don't change until the transaction ends. @throws customer_not_found */
export async function lockUsedCustomer(tx: Tx, own: OwnCustomer, now: Date): Promise<Customer> {
  if (isId(own.id)) await markCustomerUsed(tx, own, now)
  return readCustomer(tx, own)
}

interface CustomerChange extends Omit<OwnCustomer, "sellerId"> {
  seller: Actor
  changes: UpdateCustomerBody
}

/** Archiving is a change of the status. @throws customer_not_found, customer_document_taken, external_reference_taken */
export async function updateCustomer({ db, clock }: Deps, change: CustomerChange): Promise<Customer> {
  return db.transaction().execute((tx) => applyChange(tx, change, clock.now()))
}

async function applyChange(tx: Tx, { seller, id, changes }: CustomerChange, now: Date): Promise<Customer> {
  await lockCustomersOf(tx, seller.id)
  const before = await readCustomer(tx, { sellerId: seller.id, id })
  const archivedAt = archivedBy(before, changes.status, now)
  const changed = { ...withCustomerChanges(before, changes), archivedAt }
  if (isDeepStrictEqual(changed, before)) return before
  const after = { ...changed, updatedAt: now }
  if (archivedAt === null) await refuseTaken(tx, after)
  await updateCustomerRow(tx, after)
  await record(tx, { actor: seller, action: actionOf(before, after), id, fields: changedFields(before, after), now })
  return after
}

function archivedBy({ archivedAt }: Customer, status: UpdateCustomerBody["status"], now: Date): Date | null {
  if (status === undefined) return archivedAt
  return status === "active" ? null : (archivedAt ?? now)
}

function actionOf(before: Customer, after: Customer) {
  if ((before.archivedAt === null) === (after.archivedAt === null)) return "customer.changed"
  return after.archivedAt === null ? "customer.restored" : "customer.archived"
}

const fieldNames = ["name", "document", "email", "phone", "address", "notes", "externalReference"] as const

function changedFields(before: Customer, after: Customer): string {
  return fieldNames.filter((name) => !isDeepStrictEqual(before[name], after[name])).join(", ")
}

const BATCH = 1000

/** Those who asked for it, once nothing is to be paid, and whom a seller has not used for long; their invoices stay. */
export async function eraseOldCustomers({ db, clock }: Deps): Promise<void> {
  await db.transaction().execute((tx) => eraseCustomersAsking(tx, clock.now()))
  const days = await readDays(db, "CUSTOMER_DATA_DAYS")
  if (days === null) return
  const now = clock.now()
  const unused = { since: secondsAfter(now, -days * 86_400), now, limit: BATCH }
  await workThrough(BATCH, () => db.transaction().execute((tx) => eraseCustomersUnused(tx, unused)))
}

interface CustomerRecord {
  actor: Actor
  action: Extract<AuditAction, `customer.${string}`>
  id: string
  fields?: string
  now: Date
}

/** Which fields, never what stood in them: records outlive the customer's data. */
async function record(tx: Tx, { actor, action, id, fields, now }: CustomerRecord): Promise<void> {
  const after = fields === undefined || fields === "" ? null : { fields }
  await recordAudit(tx, { actor, happenedAt: now, action, entity: "customer", entityId: id, before: null, after })
}
