import { createCharge } from "#selling/charges/create"
import { customerFieldsFrom } from "#selling/customers/rules"
import { pauseSubscription } from "#selling/subscriptions/manage"
import { findPlanOfSlug } from "#selling/subscriptions/plan-reads"
import { createPlan } from "#selling/subscriptions/plans"
import { findOpenOfSubscription, listSubscriptions } from "#selling/subscriptions/reads"
import { cancelByCustomer, subscribe } from "#selling/subscriptions/subscribe"
import type { DemoPlan } from "./sellers.ts"
import { createLuck, dayOf, invitePayer, minutesAfter, type Shop, type Story, unlessRefused } from "./story.ts"
import { payInTime } from "./trade.ts"

/** A luck of its own leaves the rest of the story as it is. */
const seed = 20_250_901
const firstOnDay = 12
const daysApart = 5
const lastDay = 110
const paidEveryDays = 3

/** Customers subscribe by the page of a plan and pay each month, some late, until one pauses and one cancels. */
export function offerPlan(story: Story, shop: Shop, { title, description, reais, subscribers }: DemoPlan): void {
  const luck = createLuck(seed)
  const slug = title.toLowerCase().replaceAll(" ", "-")
  const at = (day: number, minutes: number) => minutesAfter(dayOf(story, day), minutes)
  story.agenda.plan(at(firstOnDay - 1, 600), async () => {
    const draft = { title, description, slug, amount: reais, period: "monthly", cycles: null } as const
    const usual = { leadDays: 10, daysAfterDue: 30, fine: { type: "percent", value: 2 } } as const
    await createPlan(story.deps, { seller: shop.actor, idempotencyKey: null }, { ...draft, ...usual })
  })
  for (let number = 0; number < subscribers; number += 1) {
    const { name, cpf, email } = invitePayer(luck)
    const day = firstOnDay + daysApart * number
    const pays = luck.next() < 0.8
    story.agenda.plan(at(day, 720 + 11 * number), async () => {
      const fields = customerFieldsFrom({ name: name ?? "", document: cpf, email })
      const deps = { ...story.deps, payersUrl: story.payersUrl }
      await subscribe(deps, slug, fields)
      const id = await newestOf(story, shop, slug)
      if (id === undefined) return
      await payOpen(story, id)
      for (let next = day + paidEveryDays; pays && next < lastDay; next += paidEveryDays) {
        story.agenda.plan(at(next, 780 + 11 * number), () => payOpen(story, id))
      }
      if (number === 2) {
        const pause = { id, seller: shop.actor, cancelOpenInvoices: false }
        story.agenda.plan(at(day + 40, 900), async () => void (await unlessRefused(pauseSubscription(deps, pause))))
      }
    })
  }
  story.agenda.plan(at(lastDay - 32, 900), async () => {
    const { subscriptions } = await listSubscriptions(
      story.deps.db,
      { sellerId: shop.actor.id, status: "active" },
      { limit: 1, offset: 0 },
    )
    for (const { uniqueLink } of subscriptions) await cancelByCustomer(story.deps, uniqueLink)
  })
}

async function newestOf({ deps: { db } }: Story, shop: Shop, slug: string): Promise<string | undefined> {
  const planId = (await findPlanOfSlug(db, slug))?.id
  const found = await listSubscriptions(db, { sellerId: shop.actor.id, planId }, { limit: 1, offset: 0 })
  return found.subscriptions[0]?.id
}

async function payOpen(story: Story, subscriptionId: string): Promise<void> {
  for (const { pageId } of await findOpenOfSubscription(story.deps.db, subscriptionId)) {
    const charge = await unlessRefused(createCharge(story.deps, { pageId, customerInfo: null, idempotencyKey: null }))
    if (charge !== null) await payInTime(story, charge, { mayBeRefunded: false })
  }
}
