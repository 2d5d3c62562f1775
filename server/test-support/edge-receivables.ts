import { dueTermsOf } from "@tilinta/contract/vocabulary/invoices"
import { daysAfter, saoPauloDay } from "#kit/clock"
import { noOrder } from "#selling/charge-pages/rules"
import { registerCustomer } from "#selling/customers/manage"
import { customerFieldsFrom } from "#selling/customers/rules"
import { createInvoice } from "#selling/invoices/create"
import type { Invoice } from "#selling/invoices/rules"
import { remindByHand } from "#selling/reminders/send"
import { createSubscription } from "#selling/subscriptions/manage"
import { createPlan } from "#selling/subscriptions/plans"
import type { Plan, Subscription } from "#selling/subscriptions/rules"
import type { EdgeWorld, WorldUser } from "./edge-world.ts"

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

export async function makeSubscription(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return (await newSubscription(world, owner)).id
}

export async function makeSubscriptionLink(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return (await newSubscription(world, owner)).uniqueLink
}

/** Its first cycle is charged at once. */
async function newSubscription(world: EdgeWorld, { id }: WorldUser): Promise<Subscription> {
  return createSubscription(
    { ...world, protection: "relaxed", payersUrl: "http://localhost:3000" },
    {
      seller: { id, address: "127.0.0.1" },
      idempotencyKey: null,
      customer: customerFieldsFrom({ name: "Bruno Lima", email: "bruno@exemplo.com.br" }),
      ...{ title: "Mensalidade da academia", period: "monthly", endsOn: null, cycles: null, leadDays: 10 },
      terms: dueTermsOf({ amount: 100, dueDate: saoPauloDay(world.clock.now()), daysAfterDue: 30 }),
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

/** A reminder of it is due today, and was noted. */
export async function makeRemindedInvoice(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return (await remindedInvoice(world, owner)).id
}

export async function makeRemindedCustomer(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return (await remindedInvoice(world, owner)).customer.id
}

async function remindedInvoice(world: EdgeWorld, owner: WorldUser): Promise<Invoice> {
  const today = saoPauloDay(world.clock.now())
  const invoice = await newInvoice(world, owner, { dueDate: daysAfter(today, 3), until: today })
  const byHand = { id: invoice.id, seller: { id: owner.id, address: null }, channel: "whatsapp" } as const
  await remindByHand({ ...world, payersUrl: "http://127.0.0.1" }, byHand)
  return invoice
}
