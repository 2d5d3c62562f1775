import { dueTermsOf } from "@tilinta/contract/vocabulary/invoices"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { daysAfter, saoPauloDay, secondsAfter } from "#kit/clock"
import { newDebitTxid, newId, newShortId } from "#kit/ids"
import { noOrder } from "#selling/charge-pages/rules"
import { registerCustomer } from "#selling/customers/manage"
import { customerFieldsFrom } from "#selling/customers/rules"
import { createInvoice } from "#selling/invoices/create"
import type { Invoice } from "#selling/invoices/rules"
import { getMandate } from "#selling/mandates/reads"
import { remindByHand } from "#selling/reminders/send"
import { createSubscription } from "#selling/subscriptions/manage"
import { createPlan } from "#selling/subscriptions/plans"
import type { Plan, Subscription } from "#selling/subscriptions/rules"
import type { EdgeWorld, WorldUser } from "./edge-world.ts"
import { saveSetting } from "./save-setting.ts"

export async function makeCustomer(world: EdgeWorld, { id }: WorldUser): Promise<string> {
  const fields = customerFieldsFrom({ name: "Bruno Lima", email: "bruno@exemplo.com.br" })
  const made = { seller: { id, address: null }, fields, idempotencyKey: null }
  return (await registerCustomer(world, made)).id
}

export async function makeInvoice(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return (await newInvoice(world, owner)).id
}

/** Its due day is as in the example. */
export async function newInvoice(
  world: EdgeWorld,
  { id }: WorldUser,
  { dueDate, until } = { dueDate: "2030-12-10", until: "2030-12-05" },
): Promise<Invoice> {
  const terms = dueTermsOf({
    ...{ amount: 100, dueDate, daysAfterDue: 30 },
    fine: { type: "percent", value: 2 },
    interest: { type: "percentMonth", value: 1 },
    discounts: [{ type: "fixed", value: 5, until }],
  })
  return createInvoice(
    { ...world, protection: "relaxed" },
    {
      seller: { id, address: "127.0.0.1" },
      customer: customerFieldsFrom({ name: "Bruno Lima" }),
      ...{ terms, description: "Mensalidade", mode: "daily", idempotencyKey: null },
      order: { ...noOrder, metadata: { turma: "Manhã" } },
    },
  )
}

async function makeSubscription(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return (await newSubscription(world, owner)).id
}

/** Its first cycle is charged at once. */
async function newSubscription(
  world: EdgeWorld,
  { id }: WorldUser,
  given: { method?: "automatic"; dueDay?: string } = {},
): Promise<Subscription> {
  return createSubscription(
    { ...world, protection: "relaxed", payersUrl: "http://localhost:3000" },
    {
      seller: { id, address: "127.0.0.1" },
      idempotencyKey: null,
      customer: customerFieldsFrom({
        ...{ name: "Bruno Lima", email: "bruno@exemplo.com.br" },
        ...(given.method && { document: "52998224725" }),
      }),
      method: given.method ?? "invoice",
      ...{ title: "Mensalidade da academia", period: "monthly", endsOn: null, cycles: null, leadDays: 10 },
      terms: dueTermsOf({ amount: 100, dueDate: given.dueDay ?? saoPauloDay(world.clock.now()), daysAfterDue: 30 }),
    },
  )
}

export async function newPlan(world: EdgeWorld, { id }: WorldUser): Promise<Plan> {
  return createPlan(
    { ...world, protection: "relaxed" },
    { seller: { id, address: "127.0.0.1" }, idempotencyKey: null },
    {
      ...{ title: "Plano mensal", description: "", slug: null, amount: 99.9, period: "monthly" },
      ...{ cycles: null, leadDays: 10, daysAfterDue: 30 },
    },
  )
}

/** The seller may ask this customer for an authorisation, with the open cycle's code. */
async function makeAutomaticSubscription(world: EdgeWorld, owner: WorldUser): Promise<string> {
  await allowAutomatic(world, owner)
  return (await newSubscription(world, owner, { method: "automatic" })).id
}

async function allowAutomatic({ db, clock }: EdgeWorld, { id }: WorldUser): Promise<void> {
  await saveSetting(db, "AUTOMATIC_PIX", true)
  await saveSetting(db, "LEGAL_NAME", "Tilinta Pagamentos Ltda")
  await saveSetting(db, "LEGAL_CNPJ", "11222333000181")
  const row = { seller_id: id, reason: "Contrato conferido", enabled_by: id, enabled_at: clock.now() }
  await db
    .insertInto("automatic_sellers")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function makeMandate(world: EdgeWorld, owner: WorldUser): Promise<string> {
  await allowAutomatic(world, owner)
  const now = world.clock.now()
  const subscription = await newSubscription(world, owner, { method: "automatic", dueDay: "2031-01-10" })
  const id = newId()
  await world.db
    .insertInto("mandates")
    .values({
      ...{ id, seller_id: owner.id, subscription_id: subscription.id, provider: "simulator", contract: newShortId() },
      ...{ journey: 2, retry_policy: "three_in_seven_days", amount_cents: 10_000 as Cents, starts_on: "2031-01-10" },
      ...{ first_txid: null, recurrence_id: newShortId(), pix_code: "000201", ended_code: null, cancel_since: null },
      ...{ rests_for: null, missed_at: null, approved_at: null, ended_at: null, status: "waiting" },
      ...{ expires_at: secondsAfter(now, 86_400), created_at: now, ask_at: secondsAfter(now, 86_400), updated_at: now },
    })
    .execute()
  return id
}

export async function makeMandateLink(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return (await getMandate(world.db, await makeMandate(world, owner))).uniqueLink
}

/** It was not made, and may be tried again on the day of the example. */
export async function makeDebit(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const now = world.clock.now()
  const mandateId = await makeMandate(world, owner)
  const invoice = await newInvoice(world, owner, { dueDate: "2031-01-10", until: "2031-01-05" })
  const id = newId()
  const attempts = [{ kind: "first", day: "2031-01-10", outcome: "expired", code: null }]
  await world.db
    .insertInto("debits")
    .values({
      ...{ id, seller_id: owner.id, mandate_id: mandateId, invoice_id: invoice.id, provider: "simulator" },
      ...{
        txid: newDebitTxid(now),
        amount_cents: 10_000 as Cents,
        due_day: "2031-01-10",
        is_sent: true,
      },
      ...{ attempts: JSON.stringify(attempts), ended_code: null, cancel_since: null, retry_day: null },
      ...{ retry_sent_at: null, ended_at: null, status: "failed", created_at: now, ask_at: now, updated_at: now },
    })
    .execute()
  return id
}

/** A reminder of it is due today, and was noted. */
export async function makeRemindedInvoice(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return (await remindedInvoice(world, owner)).id
}

async function makeRemindedCustomer(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return (await remindedInvoice(world, owner)).customer.id
}

async function remindedInvoice(world: EdgeWorld, owner: WorldUser): Promise<Invoice> {
  const today = saoPauloDay(world.clock.now())
  const invoice = await newInvoice(world, owner, { dueDate: daysAfter(today, 3), until: today })
  const byHand = { id: invoice.id, seller: { id: owner.id, address: null }, channel: "whatsapp" } as const
  await remindByHand({ ...world, payersUrl: "http://127.0.0.1" }, byHand)
  return invoice
}

/** Things that their owner alone sees and changes, by the paths that name them. */
export const receivableThings = {
  "customers/:id": { isPrivate: true, make: makeCustomer },
  "customers/:id/reminders": { isPrivate: true, make: makeRemindedCustomer },
  "invoices/:id": { isPrivate: true, make: makeInvoice },
  "invoices/:id/reminders": { isPrivate: true, make: makeRemindedInvoice },
  "subscriptions/:id": { isPrivate: true, make: makeSubscription },
  "subscriptions/:id/mandate": { isPrivate: true, make: makeAutomaticSubscription },
  "mandates/:id": { isPrivate: true, make: makeMandate },
  "debits/:id": { isPrivate: true, make: makeDebit },
}
