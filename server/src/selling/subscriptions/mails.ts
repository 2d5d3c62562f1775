import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { newId } from "#kit/ids"
import { findShop } from "#people/shops/reads"
import { holdsAddress } from "#people/users/misleading-names"
import { getUser } from "#people/users/reads"
import type { NewMail } from "#platform/mails/mail-content"
import { type Subscription, subscriptionPath } from "./rules.ts"

type Content = Extract<NewMail["content"], { kind: "subscription" }>

interface Message {
  change: Content["change"]
  /** The price before. */
  formerCents?: Cents
  /** The subscription's price where it is absent. */
  amountCents?: Cents
  debit?: Content["debit"]
  /** In place of the customer's own page. */
  path?: string
  payersUrl: string
  /** A message with the same key is mailed once. */
  key?: string
}

/** To the customer, with the link of their own page; null without an address. */
export async function subscriptionMail(
  db: Db,
  subscription: Subscription,
  { change, formerCents, amountCents, debit, path, payersUrl, key = newId() }: Message,
): Promise<NewMail | null> {
  const { id, sellerId, customer, title, terms, period, nextDueDay } = subscription
  if (customer.email === null) return null
  const [shop, seller] = await Promise.all([findShop(db, sellerId), getUser(db, sellerId)])
  return {
    userId: sellerId,
    to: customer.email,
    dedupeKey: `subscription:${id}:${key}`,
    content: {
      kind: "subscription",
      change,
      customerName: holdsAddress(customer.name) ? "" : customer.name,
      receiver: shop?.name ?? seller.name,
      ...(shop !== null && { shop: { name: shop.name, email: shop.email } }),
      title,
      amountCents: amountCents ?? terms.amountCents,
      ...(formerCents !== undefined && { formerCents }),
      ...(debit !== undefined && { debit }),
      period,
      nextDueDay,
      url: `${payersUrl}${path ?? subscriptionPath(subscription)}`,
    },
  }
}
