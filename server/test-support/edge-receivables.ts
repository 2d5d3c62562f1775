import { dueTermsOf } from "@tilinta/contract/vocabulary/invoices"
import { noOrder } from "#selling/charge-pages/rules"
import { registerCustomer } from "#selling/customers/manage"
import { customerFieldsFrom } from "#selling/customers/rules"
import { createInvoice } from "#selling/invoices/create"
import type { Invoice } from "#selling/invoices/rules"
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
export async function newInvoice(world: EdgeWorld, { id }: WorldUser): Promise<Invoice> {
  const terms = dueTermsOf({
    ...{ amount: 100, dueDate: "2030-12-10", daysAfterDue: 30 },
    fine: { type: "percent", value: 2 },
    interest: { type: "percentMonth", value: 1 },
    discounts: [{ type: "fixed", value: 5, until: "2030-12-05" }],
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
