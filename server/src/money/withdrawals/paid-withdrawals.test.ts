import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { saoPauloDay, secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { newPerson, type Person } from "../../../test-support/admins.ts"
import { insertWithdrawals } from "../../../test-support/insert-withdrawals.ts"
import { textOfPdf } from "../../../test-support/read-pdf.ts"
import { openTestApp, sellerForm } from "../../../test-support/test-app.ts"

const site = await openTestApp()
let seller: Person
let made = 0

beforeEach(async () => {
  // Those of the tests before are older than the last thirty.
  site.clock.pass(86_400)
  seller = await newPerson(site, `vendedora-${++made}@loja.example`)
})

afterAll(() => site.close())

const minutes = 60

/** One that was requested an hour ago for each number of minutes that it took. */
async function insertPaid(took: readonly number[], heldMinutes = 0): Promise<string[]> {
  const asked = secondsAfter(site.clock.now(), -60 * minutes)
  const ids = await insertWithdrawals(
    site.db,
    took.map(() => ({ sellerId: seller.id, status: "completed", at: asked })),
  )
  for (const [at, id] of ids.entries()) {
    const held = heldMinutes === 0 ? null : secondsAfter(asked, heldMinutes * minutes)
    await site.db
      .updateTable("withdrawals")
      .set({
        processed_at: secondsAfter(held ?? asked, (took[at] ?? 0) * minutes),
        held_until: held,
        hold_reasons: JSON.stringify(held === null ? [] : ["new_destination"]),
      })
      .where("id", "=", id)
      .execute()
  }
  return ids
}

describe("how long withdrawals took", () => {
  const paidWithin = async () =>
    (await site.call("GET", "/api/v1/users/me/destinations", { token: seller.token })).json.data.paidWithin

  test("is told from the third paid one on", async () => {
    expect(await paidWithin()).toBeNull()
    await insertPaid([10, 180])
    expect(await paidWithin()).toBeNull()
    await insertPaid([30])
    expect(await paidWithin()).toEqual({ fromMinutes: 10, toMinutes: 180 })
  })

  test("leaves out the fastest and the slowest tenth, and all but the last thirty", async () => {
    await insertPaid(Array.from({ length: 26 }, (_, at) => 20 + at))
    await insertPaid([1, 1, 40_000, 50_000])
    expect(await paidWithin()).toEqual({ fromMinutes: 20, toMinutes: 44 })
    site.clock.pass(40 * 86_400)
    seller = await newPerson(site, `vendedora-depois-${made}@loja.example`)
    await insertPaid(Array.from({ length: 30 }, () => 5))
    expect(await paidWithin()).toEqual({ fromMinutes: 5, toMinutes: 5 })
  })

  test("counts from the end of a hold, and a part of a minute as one", async () => {
    await insertPaid([...Array.from({ length: 15 }, () => 0.2), ...Array.from({ length: 15 }, () => 7.5)], 24 * 60)
    expect(await paidWithin()).toEqual({ fromMinutes: 1, toMinutes: 8 })
  })
})

describe("the receipt of a withdrawal", () => {
  const cnpj = "11222333000181"
  const insertTo = (to: { key: string; kind: "cpf" | "cnpj" }) =>
    insertWithdrawals(site.db, [{ sellerId: seller.id, status: "completed", at: site.clock.now() }], to)
  const receipt = (id: string, token = seller.token) =>
    site.app.inject({
      method: "GET",
      url: `/api/v1/withdrawals/${id}/receipt`,
      headers: { authorization: `Bearer ${token}` },
    })

  test("says who received how much and when, with the key masked", async () => {
    const [id = ""] = await insertPaid([30])
    await site.db.updateTable("withdrawals").set({ end_to_end_id: "E1234567820261121" }).where("id", "=", id).execute()
    const reply = await receipt(id)
    expect(reply.headers["content-type"]).toBe("application/pdf")
    const day = saoPauloDay(site.clock.now())
    expect(reply.headers["content-disposition"]).toBe(`attachment; filename="comprovante_saque_${day}.pdf"`)
    const text = textOfPdf(reply.rawPayload)
    for (const shown of ["Comprovante de saque", "R$ 10,00", "Chave Pix an•••@loja.example", "E1234567820261121", id]) {
      expect(text).toContain(shown)
    }
    expect(text).toContain(`${day.split("-").toReversed().join("/")} às 08:30 (horário de Brasília)`)
    expect(text).not.toContain("ana@loja.example")
  })

  test("names the bank's identifier, never a name of ours in its place", async () => {
    const textWith = async (bankId: string) => {
      const [id = ""] = await insertPaid([30])
      await site.db.insertInto("hand_payouts").values({ withdrawal_id: id, bank_id: bankId }).execute()
      return textOfPdf((await receipt(id)).rawPayload)
    }
    expect(await textWith("TED 42")).toContain("Identificador do banco")
    for (const ours of [`extrato ${newId()}`, "remessa 12/3"]) {
      expect(await textWith(ours)).not.toContain("Identificador do banco")
    }
  })

  test("names the seller as who received it only where the key is their document", async () => {
    const [id = ""] = await insertPaid([30])
    expect(textOfPdf((await receipt(id)).rawPayload)).not.toContain(`${sellerForm.name}, Chave Pix`)
    const [own = ""] = await insertTo({ key: sellerForm.cpf, kind: "cpf" })
    expect(textOfPdf((await receipt(own)).rawPayload)).toContain(
      `${sellerForm.name}, Chave Pix •••${sellerForm.cpf.slice(-4)}`,
    )
  })

  test("counts the CNPJ of the seller's shop as their document, but not one that only the database tells of", async () => {
    const [id = ""] = await insertTo({ key: cnpj, kind: "cnpj" })
    const named = `${sellerForm.name}, Chave Pix •••0181`
    const since = site.clock.now()
    const shop = { seller_id: seller.id, color: "mint", updated_at: since } as const
    const forged = { id: newId(), seller_id: seller.id, name: "Doces", document: cnpj, since, mac: "x" }
    await site.db.insertInto("shops").values(shop).execute()
    await site.db.insertInto("shop_names").values(forged).execute()
    expect(textOfPdf((await receipt(id)).rawPayload)).not.toContain(named)
    for (const document of ["", cnpj]) {
      await site.call("PATCH", "/api/v1/users/me/shop", { token: seller.token, body: { document } })
    }
    expect(textOfPdf((await receipt(id)).rawPayload)).toContain(named)
  })

  test("is signed, checked by anybody, and says when the money came back", async () => {
    const [id = ""] = await insertPaid([30])
    const signed = await site.call("GET", `/api/v1/withdrawals/${id}/signed-receipt`, { token: seller.token })
    const { receipt: text, verifyUrl, ...facts } = signed.json.data
    expect(facts).toMatchObject({ amount: 10, payerCpf: null, receiverDocument: null })
    expect(facts.receiver).toContain(`Saque de ${sellerForm.name} para Chave Pix `)
    expect(verifyUrl).toContain(`/verificar#${text}`)
    const verified = async (body: object) => (await site.call("POST", "/api/v1/receipts/verify", { body })).json.data
    expect(await verified({ receipt: text })).toMatchObject({ verdict: "valid", ...facts, refundedAmount: 0 })
    expect(await verified({ receipt: text.replace(/.$/, "x") })).toMatchObject({ verdict: "forged" })
    await site.db
      .updateTable("withdrawals")
      .set({ returned_cents: 400 as Cents, returned_at: site.clock.now(), return_reason: "Voltou" })
      .where("id", "=", id)
      .execute()
    expect(await verified({ receipt: text })).toMatchObject({ verdict: "refunded", refundedAmount: 4 })
  })

  test("exists only for a paid one of the seller's own", async () => {
    const [id = ""] = await insertPaid([30])
    const [pending = ""] = await insertWithdrawals(site.db, [
      { sellerId: seller.id, status: "pending", at: site.clock.now() },
    ])
    const other = await newPerson(site, `outra-${made}@loja.example`)
    expect((await receipt(pending)).json()).toMatchObject({ code: "withdrawal_not_paid" })
    expect((await receipt(id, other.token)).json()).toMatchObject({ code: "withdrawal_forbidden" })
    expect((await receipt("nada")).json()).toMatchObject({ code: "withdrawal_not_found" })
  })
})
