import { afterAll, describe, expect, test } from "vitest"
import { asOwner } from "../../test-support/as-owner.ts"
import { openPaidCharge } from "../../test-support/paid-charges.ts"
import { openSandbox } from "../../test-support/sandbox.ts"

const sandbox = await openSandbox()
const paid = await openPaidCharge(sandbox)

afterAll(() => sandbox.close())

const terms = [
  "amount_cents = amount_cents + 1, net_cents = net_cents + 1",
  "fee_cents = fee_cents - 1, net_cents = net_cents + 1",
  "fee_basis_points = 0",
  "seller_id = gen_random_uuid()",
  "txid = 'x'",
  "provider = 'x'",
]
const undone = [
  "status = 'expired', paid_at = null",
  "status = 'pending', paid_at = null",
  "status = 'cancelled', paid_at = null, end_to_end_id = null",
  "paid_at = paid_at + interval '1 second'",
  "end_to_end_id = 'E0'",
]

describe("a paid charge", () => {
  test.each(undone)("never gets %s, from the server's role or the owner", async (change) => {
    const update = `update charges set ${change} where id = '${paid.id}'`
    await expect(sandbox.pool.query(update)).rejects.toThrow(/paid stays paid/)
    await expect(asOwner(sandbox, update)).rejects.toThrow(/paid stays paid/)
  })

  test.each(terms)("never gets %s", async (change) => {
    const update = `update charges set ${change} where id = '${paid.id}'`
    await expect(sandbox.pool.query(update)).rejects.toThrow(/permission denied/)
    await expect(asOwner(sandbox, update)).rejects.toThrow(/amounts stay as they are/)
  })

  test("may become refunded, part by part, and never less so", async () => {
    const { id } = await openPaidCharge(sandbox)
    const set = (text: string) => sandbox.pool.query(`update charges set ${text} where id = $1`, [id])
    await set("refunded_cents = 10, refunded_fee_cents = 1")
    await expect(set("refunded_cents = 9")).rejects.toThrow(/paid stays paid/)
    await expect(set("refunded_fee_cents = 0")).rejects.toThrow(/paid stays paid/)
    await set("status = 'refunded', refunded_cents = amount_cents")
    await expect(set("status = 'paid'")).rejects.toThrow(/paid stays paid/)
  })
})

test.each([
  "amount_cents = amount_cents + 1",
  "end_to_end_id = 'E0'",
  "disposition = 'suspense', reason = 'unknown_txid'",
  "charge_id = null",
])("a payment never gets %s, from the server's role or the owner", async (change) => {
  const update = `update payments set ${change} where end_to_end_id = '${paid.endToEndId}'`
  await expect(sandbox.pool.query(update)).rejects.toThrow(/permission denied/)
  await expect(asOwner(sandbox, update)).rejects.toThrow(/append-only/)
  await expect(asOwner(sandbox, "delete from payments")).rejects.toThrow(/append-only/)
})
