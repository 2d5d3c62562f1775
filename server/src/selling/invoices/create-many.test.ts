import { afterAll, describe, expect, test } from "vitest"
import { noOrder } from "#selling/charge-pages/rules"
import { customerFieldsFrom } from "#selling/customers/rules"
import { openInvoiceSandbox, usualTerms } from "../../../test-support/invoice-sandbox.ts"
import { codesOf, times } from "../../../test-support/races.ts"
import { createForMany, createInstalments } from "./create-many.ts"
import { listInvoices } from "./list-reads.ts"

const { sandbox, at, sellerId, seller, changeSeller, create } = await openInvoiceSandbox()
afterAll(() => sandbox.close())

const refusedAs = (code: string) => expect.objectContaining({ code })

describe("several at once", () => {
  const call = (idempotencyKey: string | null = null) => ({ seller: seller(), idempotencyKey })
  const shared = { description: "Curso", order: noOrder, mode: "daily" } as const

  test("instalments fall due a month apart, add up to the centavo, and are made once", async () => {
    await changeSeller()
    at("2026-12-10T12:00:00")
    const input = {
      ...shared,
      customer: customerFieldsFrom({ name: "Sem documento" }),
      order: { ...noOrder, externalReference: "curso" },
      terms: { ...usualTerms, dueDate: "2026-12-31", discounts: [{ type: "fixed", value: 5, until: "2026-12-28" }] },
      count: 3,
    } as const
    const made = await times(3, () => createInstalments(sandbox, call("c"), input))
    expect(codesOf(made)).toEqual({ ok: 3 })
    const [first, second] = made.map((one) => (one.status === "fulfilled" ? one.value : []))
    expect(second).toEqual(first)
    expect(
      first?.map(({ terms: { dueDay, amountCents, discount }, description, order }) => {
        return [dueDay, amountCents, discount, description, order.externalReference]
      }),
    ).toEqual(
      [
        ["2026-12-31", 3_333, "2026-12-28", 1],
        ["2027-01-31", 3_333, "2027-01-28", 2],
        ["2027-02-28", 3_334, "2027-02-25", 3],
      ].map(([due, cents, until, number]) => {
        return [
          due,
          cents,
          { until: [{ day: until, share: { cents: 500 } }] },
          `Curso (${number}/3)`,
          `curso-${number}`,
        ]
      }),
    )
    expect(new Set(first?.map(({ customer }) => customer.id)).size).toBe(1)
  })

  test("many customers are charged the same, or none", async () => {
    const ids: string[] = []
    for (const name of ["Ana", "Bia", "Caio"])
      ids.push((await create({ customer: customerFieldsFrom({ name }) })).customer.id)
    const input = { ...shared, terms: usualTerms }
    const made = await createForMany(sandbox, call("m"), { ...input, customerIds: [...ids, ...ids] })
    expect(made.map(({ customer }) => customer.id).toSorted()).toEqual(ids.toSorted())
    expect(await createForMany(sandbox, call("m"), { ...input, customerIds: ids })).toEqual(made)
    const count = () => listInvoices(sandbox.db, { sellerId: sellerId(), today: "2026-12-10", limit: 1, offset: 0 })
    const before = (await count()).results
    const unknown = createForMany(sandbox, call(), { ...input, customerIds: [...ids, sellerId()] })
    await expect(unknown).rejects.toEqual(refusedAs("customer_not_found"))
    expect((await count()).results).toBe(before)
  })
})
