import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import { findShop } from "#people/shops/reads"
import { holdsAddress } from "#people/users/misleading-names"
import { getUser } from "#people/users/reads"
import { countRecordsAbout } from "#platform/audit/reads"
import { recordAudit } from "#platform/audit/record"
import { enqueueMails, notifyOwner } from "#platform/mails/notify-owner"
import { findCustomer, findTakenFields, type OwnCustomer, readCustomer } from "./reads.ts"
import type { Customer } from "./rules.ts"
import { eraseCustomersAsking, lockCustomersOf, noteErasureRequest, updateCustomerRow } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

/** Callers have checked that it comes from the page of an invoice of the customer's. */
interface OwnRequest {
  customer: OwnCustomer
  address: string
}

const ownFields = ["name", "document", "email", "phone"] as const
type OwnField = (typeof ownFields)[number]
type OwnFields = { [Name in OwnField]: string | null }

/** Nobody corrects their data more often, and the seller is told each time. */
const most = { times: 5, windowSeconds: 86_400 }

/** Fields that are null stay; none is added that the seller doesn't have. @throws customer_not_found, validation_failed, too_many_requests */
export async function correctOwnData({ db, clock }: Deps, request: OwnRequest & { fields: OwnFields }): Promise<void> {
  await db.transaction().execute((tx) => correct(tx, request, clock.now()))
}

async function correct(tx: Tx, request: OwnRequest & { fields: OwnFields }, now: Date): Promise<void> {
  const { customer: own, fields } = request
  await lockCustomersOf(tx, own.sellerId)
  const before = await readCustomer(tx, own)
  await limitCorrections(tx, own.id, now)
  const changed = ownFields.filter(
    (name) => before[name] !== null && fields[name] !== null && before[name] !== fields[name],
  )
  if (changed.length === 0) return
  const after = { ...before, ...Object.fromEntries(changed.map((name) => [name, fields[name]])), updatedAt: now }
  if ((await findTakenFields(tx, after)).document && before.archivedAt === null) {
    throw brokenRule(after.document?.length === 14 ? "cnpj" : "cpf", "Este documento está em outro cadastro.")
  }
  await updateCustomerRow(tx, after)
  if (before.email !== null && after.email !== before.email) await mailFormerAddress(tx, before, before.email, now)
  await recordChange(tx, { request, change: "corrected", fields: changed }, now)
}

/** One link would else redirect, unnoticed, what is mailed about all of the customer's invoices. */
async function mailFormerAddress(tx: Tx, { sellerId, name }: Customer, to: string, now: Date): Promise<void> {
  const [shop, seller] = await Promise.all([findShop(tx, sellerId), getUser(tx, sellerId)])
  const content = {
    kind: "customer_email_changed",
    customerName: holdsAddress(name) ? "" : name,
    receiver: shop?.name ?? seller.name,
    ...(shop !== null && { shop: { name: shop.name, email: shop.email } }),
    changedAt: now.toISOString(),
  } as const
  await enqueueMails(tx, [{ userId: sellerId, to, dedupeKey: newId(), content }], now)
}

async function limitCorrections(tx: Tx, entityId: string, now: Date): Promise<void> {
  const since = secondsAfter(now, -most.windowSeconds)
  const done = await countRecordsAbout(tx, { entity: "payer_data", entityId, since })
  if (done >= most.times) throw new DomainError("too_many_requests", { retryAfterSeconds: most.windowSeconds })
}

/** True when the data are gone; false when something is to be paid, after which a job erases them. */
export async function eraseOwnData({ db, clock }: Deps, request: OwnRequest): Promise<boolean> {
  return db.transaction().execute((tx) => eraseOrWait(tx, request, clock.now()))
}

async function eraseOrWait(tx: Tx, request: OwnRequest, now: Date): Promise<boolean> {
  const { id, sellerId } = request.customer
  await lockCustomersOf(tx, sellerId)
  const held = await heldFields(tx, request.customer)
  if (held.length === 0) return true
  const isErased = (await eraseCustomersAsking(tx, now, id)).length > 0
  if (isErased) await recordChange(tx, { request, change: "erased", fields: held }, now)
  else if (await noteErasureRequest(tx, id, now)) {
    await recordChange(tx, { request, change: "erasure_asked", fields: held }, now)
  }
  return isErased
}

/** None once they were erased. */
async function heldFields(tx: Tx, own: OwnCustomer): Promise<OwnField[]> {
  const customer = await findCustomer(tx, own)
  return customer === null ? [] : ownFields.filter((name) => customer[name] !== null)
}

interface OwnChange {
  request: OwnRequest
  change: "corrected" | "erased" | "erasure_asked"
  fields: readonly OwnField[]
}

/** Which fields, never what stood in them. */
async function recordChange(tx: Tx, { request, change, fields }: OwnChange, now: Date): Promise<void> {
  const { id, sellerId } = request.customer
  await recordAudit(tx, {
    actor: null,
    whence: { address: request.address },
    happenedAt: now,
    before: null,
    action: `payer_data.${change}`,
    entity: "payer_data",
    entityId: id,
    after: { customerId: id, sellerId, fields: fields.join(", ") },
  })
  const facts = { customerId: id, change, fields: [...fields], changedAt: now.toISOString() }
  await notifyOwner(tx, { userId: sellerId, notice: { kind: "customer_data_changed", ...facts } }, now)
}
