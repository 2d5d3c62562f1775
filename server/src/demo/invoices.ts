import { centsFromReais } from "@tilinta/contract/vocabulary/money"
import { saoPauloDay } from "#kit/clock"
import { noOrder } from "#selling/charge-pages/rules"
import { createCharge } from "#selling/charges/create"
import { cancelInvoice, settleInvoiceOutside } from "#selling/closings/invoices"
import { createCustomer } from "#selling/customers/manage"
import { customerFieldsFrom } from "#selling/customers/rules"
import { createInvoice } from "#selling/invoices/create"
import type { Invoice } from "#selling/invoices/rules"
import type { DemoMonthly } from "./sellers.ts"
import { createLuck, dayOf, invitePayer, minutesAfter, type Shop, type Story, unlessRefused } from "./story.ts"
import { payInTime } from "./trade.ts"

/** A luck of its own leaves the rest of the story as it is. */
const seed = 20_250_608
const firstDueOnDay = 18
const issuedDaysBefore = 12
const lastDueOnDay = 110
const noon = 12 * 60

/** The same customers are charged each month: most pay in time, some late, a few never. */
export function chargeMonthly(story: Story, shop: Shop, { title, reais, customers }: DemoMonthly): void {
  const luck = createLuck(seed)
  for (let number = 0; number < customers; number += 1) {
    const payer = invitePayer(luck)
    for (let due = firstDueOnDay + 2 * number; due < lastDueOnDay; due += 30) {
      const chance = luck.next()
      const issuedAt = minutesAfter(dayOf(story, due - issuedDaysBefore), 9 * 60 + number)
      const paidAt = (days: number) => minutesAfter(dayOf(story, due + days), noon + 37 * number)
      story.agenda.plan(issuedAt, async () => {
        const invoice = await issue(story, shop, { payer, title, reais, due })
        const plan = (days: number, work: () => Promise<unknown>) =>
          story.agenda.plan(paidAt(days), async () => void (await work()))
        if (chance < 0.62) plan(-1, () => pay(story, invoice))
        else if (chance < 0.8) plan(6, () => pay(story, invoice))
        else if (chance < 0.85) plan(-3, () => unlessRefused(cancelInvoice(story.deps, ownOf(shop, invoice))))
        else if (chance < 0.9) plan(2, () => settle(story, shop, invoice))
      })
    }
  }
}

interface Issued extends Pick<DemoMonthly, "title" | "reais"> {
  payer: ReturnType<typeof invitePayer>
  due: number
}

async function issue(story: Story, { actor }: Shop, { payer, title, reais, due }: Issued): Promise<Invoice> {
  const { deps } = story
  const { name, cpf, email, phone } = payer
  const fields = customerFieldsFrom({ name: name ?? "", document: cpf, email, phone })
  const { id } = await deps.db
    .transaction()
    .execute((tx) => createCustomer(tx, { seller: actor, fields }, deps.clock.now()))
  return createInvoice(deps, {
    seller: actor,
    customer: { id },
    terms: {
      amountCents: centsFromReais(reais),
      dueDay: saoPauloDay(minutesAfter(dayOf(story, due), noon)),
      daysAfterDue: 30,
      fine: { basisPoints: 200 },
      interest: { share: { basisPoints: 100 }, per: "month", counting: "calendar" },
    },
    description: title,
    order: noOrder,
    mode: "daily",
    idempotencyKey: null,
  })
}

async function pay(story: Story, { pageId }: Invoice): Promise<void> {
  const charge = await unlessRefused(createCharge(story.deps, { pageId, customerInfo: null, idempotencyKey: null }))
  if (charge !== null) await payInTime(story, charge, { mayBeRefunded: false })
}

async function settle(story: Story, shop: Shop, invoice: Invoice): Promise<void> {
  await unlessRefused(settleInvoiceOutside(story.deps, ownOf(shop, invoice), "Pagou em dinheiro, na entrega."))
}

const ownOf = ({ actor }: Shop, { id }: Invoice) => ({ id, seller: actor })
