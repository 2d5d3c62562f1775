import { isEditablePage } from "@tilinta/contract/vocabulary/charge-page-status"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { appendEvents } from "#domain/platform/event-log/append-events"
import { brokenRule, DomainError } from "#kit/domain-error"
import { type ChargePage, expiryFrom, type PayerDataWishes, payerDataRules, statusAt } from "./charge-page.ts"
import { lockChargePage, startCountingAtOnce, updateChargePageRow } from "./charge-pages-repository.ts"
import { chargePageOwnedBy } from "./find-charge-page.ts"
import { normaliseSlug } from "./free-slug.ts"
import { type OrderChanges, withOrderChanges } from "./order.ts"
import { recordProgram } from "./record-program.ts"
import { saveOrder } from "./save-order.ts"
import { takeFreeSlug } from "./save-slug.ts"

/** Missing fields stay as they are. */
export interface ChargePageChanges {
  title?: string | undefined
  slug?: string | undefined
  description?: string | undefined
  amountCents?: Cents | undefined
  payerData?: PayerDataWishes | undefined
  expiresInHours?: number | undefined
  maxPayments?: number | null | undefined
  order?: OrderChanges | undefined
}

export interface PageChange {
  id: string
  sellerId: string
  changes: ChargePageChanges
  /** The API key that acts; absent for a person. */
  program?: Actor | null | undefined
  now: Date
}

/** Before the page gets a limit, in a transaction of its own: bookings under way took it for a page without one. */
export async function countPageAtOnce(tx: Tx, page: { id: string; sellerId: string }): Promise<void> {
  await startCountingAtOnce(tx, page)
}

/**
 * Call it through `closings/update-charge-page`, which ends the Pix codes that the change outdates.
 * @throws charge_page_not_found, charge_page_forbidden, charge_page_not_editable, external_reference_taken, validation_failed
 */
export async function changeChargePage(
  tx: Tx,
  { id, sellerId, changes, program, now }: PageChange,
): Promise<{ before: ChargePage; after: ChargePage }> {
  const before = chargePageOwnedBy(await lockChargePage(tx, id), sellerId)
  if (before.suspension !== null) throw new DomainError("charge_page_not_editable", { message: isSuspended })
  if (!isEditablePage(before.status)) throw new DomainError("charge_page_not_editable")
  const changed = withChanges(before, changes, now)
  const after: ChargePage = { ...changed, slug: await slugAfter(tx, before, changes.slug) }
  await updateChargePageRow(tx, after)
  await saveOrder(tx, { pageId: id, sellerId, order: after.order }, before.order)
  await recordProgram(tx, program, { action: "changed", before, after }, now)
  await appendEvents(tx, "page.updated", [id], now)
  // The edit came before the job that marks the pages whose time is over.
  if (after.status === "expired" && before.status !== "expired") await appendEvents(tx, "page.expired", [id], now)
  return { before, after }
}

const isSuspended = "Esta página está suspensa e não pode ser alterada. Fale com o suporte."

function withChanges(page: ChargePage, changes: ChargePageChanges, now: Date): ChargePage {
  const hours = changes.expiresInHours ?? page.expiresInHours
  // On a page whose time is over, the same hours again are a new deadline.
  const isRenewed = changes.expiresInHours !== undefined && statusAt(page, now) === "expired"
  const expiresAt = hours === page.expiresInHours && !isRenewed ? page.expiresAt : expiryFrom(now, hours)
  const maxPayments = changes.maxPayments === undefined ? page.maxPayments : changes.maxPayments
  if (maxPayments !== null && maxPayments <= page.paymentsCount) {
    throw brokenRule("maxPayments", `Esta página já recebeu ${page.paymentsCount} pagamentos.`)
  }
  const changed: ChargePage = {
    ...page,
    title: changes.title ?? page.title,
    description: changes.description ?? page.description,
    amountCents: changes.amountCents ?? page.amountCents,
    ...(changes.payerData === undefined ? {} : payerDataRules({ ...page, ...known(changes.payerData) })),
    expiresInHours: hours,
    expiresAt,
    maxPayments,
    order: withOrderChanges(page.order, changes.order ?? {}),
    updatedAt: now,
  }
  return { ...changed, status: statusAt({ status: "active", expiresAt }, now) }
}

/** Drops missing flags, so that the page's own stay. */
function known(wishes: PayerDataWishes): PayerDataWishes {
  const { requireCustomerData, allowAnonymous, ...flags } = wishes
  const anonymous = allowAnonymous ?? (requireCustomerData === undefined ? undefined : !requireCustomerData)
  return Object.fromEntries(
    Object.entries({ ...flags, allowAnonymous: anonymous }).filter(([, flag]) => flag !== undefined),
  )
}

async function slugAfter(tx: Tx, page: ChargePage, wished: string | undefined): Promise<string> {
  if (wished === undefined) return page.slug
  const slug = normaliseSlug(wished)
  if (slug === "") throw brokenRule("slug", "O slug é obrigatório")
  return slug === page.slug ? slug : takeFreeSlug(tx, slug, page.id)
}
