import type { CustomerInfoBody } from "@tilinta/contract/api/payments-endpoints"
import { reconcileReceipts } from "#domain/bank/reconciliation/reconcile-receipts"
import type { OpenCharge } from "#domain/selling/charges/charge"
import { createCharge } from "#domain/selling/charges/create-charge"
import { expireCharges } from "#domain/selling/charges/expire-charges"
import { secondsAfter } from "#kit/clock"
import { invitePayer } from "./payers.ts"
import { considerRefund } from "./refund-some.ts"
import { type Shop, type ShopPage, type Story, unlessRefused } from "./story.ts"

/** A payer opens the page and asks for a Pix; null when the page takes no more payments. */
export async function askForPix(story: Story, shop: Shop, { id, asks }: ShopPage): Promise<OpenCharge | null> {
  const { deps, luck, openings } = story
  const opened = luck.between(1, 3)
  for (let count = 0; count < opened; count += 1) openings.count(shop.actor.id)
  const customerInfo = dataFor(invitePayer(luck), asks)
  return unlessRefused(createCharge(deps, { pageId: id, customerInfo, idempotencyKey: null }))
}

/** The code is never paid and expires. */
export function forget({ agenda, deps }: Story, charge: OpenCharge): void {
  agenda.plan(secondsAfter(charge.expiresAt, 4), () => expireCharges(deps))
}

function dataFor(payer: Required<CustomerInfoBody>, asks: ShopPage["asks"]): CustomerInfoBody | null {
  if (asks === "nothing") return null
  const { name, email, phone } = payer
  return { name: { name }, contact: { name, email, phone }, everything: payer }[asks]
}

/** A code is generated and mostly paid within a few minutes, sometimes never. */
export async function sell(story: Story, shop: Shop, page: ShopPage): Promise<void> {
  const charge = await askForPix(story, shop, page)
  const { luck, agenda } = story
  if (charge === null) return
  if (luck.isTrue(0.16)) return forget(story, charge)
  agenda.plan(secondsAfter(charge.createdAt, luck.between(25, 900)), () => payInTime(story, charge))
}

/** The bank refuses when the page was closed meanwhile. */
export async function payInTime(
  story: Story,
  charge: OpenCharge,
  { mayBeRefunded } = { mayBeRefunded: true },
): Promise<void> {
  if (!(await story.bank.pay(charge.pixCode))) return
  await reconcileReceipts(story.deps)
  if (mayBeRefunded) considerRefund(story, charge)
}

export async function askOnAnyPage(story: Story, shop: Shop): Promise<OpenCharge | null> {
  const [page] = shop.pages
  return page === undefined ? null : askForPix(story, shop, page)
}
