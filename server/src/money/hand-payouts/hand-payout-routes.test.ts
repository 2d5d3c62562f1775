import { decodeBrCode } from "@tilinta/brcode/decode"
import { afterAll, beforeAll, expect, test } from "vitest"
import { verifyLedger } from "#ledger/reads"
import { returnWithdrawal } from "#money/withdrawals/came-back"
import { newPerson, type Person } from "../../../test-support/admins.ts"
import { asOwner } from "../../../test-support/as-owner.ts"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"
import { claimWithdrawal } from "./claim.ts"
import { txidOf } from "./rules.ts"

let bank: Sandbox
let site: TestApp
let carla: Person
let beto: Person
let seller: Person

beforeAll(async () => {
  bank = await openSandbox()
  // A bank that sends nothing: people pay.
  site = await openTestApp({ psp: { ...bank.psp, payouts: null } })
  carla = await newPerson(site, "carla@tilinta.example", "admin")
  beto = await newPerson(site, "beto@tilinta.example", "admin")
  seller = await newPerson(site, "ana@loja.example")
  await giveBalance(site.db, seller.id, 100_000)
})

afterAll(async () => {
  expect(await verifyLedger(site.db)).toEqual([])
  await site.close()
  await bank.close()
})

async function approved(destination: object = { paymentMethod: "pix", pixKey: "ana@loja.example" }): Promise<string> {
  const body = { amount: 10.01, ...destination }
  const requested = await site.call("POST", "/api/v1/withdrawals", { token: seller.token, body })
  const id: string = requested.json.data.withdrawal._id
  await site.call("PATCH", `/api/v1/admin/withdrawals/${id}/approve`, { token: carla.token })
  return id
}

const claim = (id: string, { token }: Person, body: object = {}) =>
  site.call("POST", `/api/v1/admin/withdrawals/${id}/claim`, { token, body })
const release = (id: string, { token }: Person) =>
  site.call("DELETE", `/api/v1/admin/withdrawals/${id}/claim`, { token })
const complete = (id: string, { token }: Person, bankId: string | null = null) =>
  site.call("PATCH", `/api/v1/admin/withdrawals/${id}/complete`, { token, body: { bankId } })
const giveBack = (id: string, { token }: Person, body: object = {}) =>
  site.call("PATCH", `/api/v1/admin/withdrawals/${id}/return`, { token, body: { reason: "Chave sem dono", ...body } })

async function shown(id: string) {
  return (await site.call("GET", `/api/v1/admin/withdrawals/${id}`, { token: carla.token })).json.data.withdrawal
}

test("a claim shows a code with key, amount and our identifier, and keeps others away", async () => {
  const id = await approved()
  const { status, json } = await claim(id, carla)
  expect(status).toBe(200)
  expect(decodeBrCode(json.data.pix.pixCode)).toMatchObject({
    valid: true,
    code: {
      key: "ana@loja.example",
      amountCents: 1_001,
      txid: txidOf(id),
    },
  })
  expect(json.data.claim.by.name).toBe((await shown(id)).claim.by.name)

  const refused = await claim(id, beto)
  expect([refused.status, refused.json.code]).toEqual([409, "withdrawal_claimed"])
  expect(refused.json.message).toContain("está pagando este saque até")
  for (const reply of [await complete(id, beto), await giveBack(id, beto), await release(id, beto)]) {
    expect([reply.status, reply.json.code]).toEqual([409, "withdrawal_claimed"])
  }
  expect((await complete(id, carla)).status).toBe(200)
  expect(await shown(id)).toMatchObject({ status: "completed", claim: null, bankId: null })
})

test("two administrators who begin at once are one", async () => {
  const id = await approved()
  const replies = await Promise.all([claim(id, carla), claim(id, beto), claim(id, carla), claim(id, beto)])
  const winners = replies.filter(({ status }) => status === 200).map(({ json }) => json.data.claim.by._id)
  expect(new Set(winners).size).toBe(1)
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(2)
})

test("whoever releases it did not pay: another may begin at once", async () => {
  const id = await approved()
  await claim(id, carla)
  expect((await release(id, carla)).status).toBe(204)
  expect((await release(id, carla)).status).toBe(204)
  expect((await claim(id, beto)).json.data).toMatchObject({ earlier: null, claim: { by: { _id: beto.id } } })
})

test("whoever fell silent may have paid: no code is shown before somebody looks at the bank", async () => {
  const id = await approved()
  await claim(id, carla)
  site.clock.pass(601)
  expect((await shown(id)).claim).toBe(null)
  for (const person of [beto, carla]) {
    expect((await claim(id, person)).json.data).toMatchObject({
      claim: null,
      pix: null,
      earlier: { by: { _id: carla.id } },
    })
  }
  expect((await claim(id, beto, { checked: true })).json.data.pix.pixCode).toMatch(/^000201/)
})

test("whoever fell silent may have paid: nobody else gives it back before they looked at the bank", async () => {
  const [id, own] = [await approved(), await approved()]
  await claim(id, carla)
  await claim(own, carla)
  expect((await giveBack(id, beto, { checked: true })).json.code).toBe("withdrawal_claimed")
  site.clock.pass(601)
  const refused = await giveBack(id, beto)
  expect([refused.status, refused.json.code]).toEqual([409, "withdrawal_held"])
  expect(refused.json.message).toMatch(/ começou a pagar este saque em .* e não disse se pagou/)
  expect((await claim(id, beto)).json.data).toMatchObject({ claim: null, earlier: { by: { _id: carla.id } } })
  expect((await giveBack(id, beto, { checked: true })).status).toBe(200)
  expect((await giveBack(own, carla)).status).toBe(200)
})

test("what was marked as paid meanwhile is not given back as unpaid, also by two at once", async () => {
  const [id, other] = [await approved(), await approved()]
  await complete(id, carla)
  const refused = await giveBack(id, beto, { status: "approved" })
  expect([refused.status, refused.json.code]).toEqual([409, "withdrawal_not_returnable"])
  expect((await giveBack(id, beto, { status: "completed" })).status).toBe(200)
  const replies = await Promise.all([complete(other, carla), giveBack(other, beto, { status: "approved" })])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test("nobody's release but their own ends the doubt about whoever fell silent", async () => {
  const id = await approved()
  await claim(id, carla)
  site.clock.pass(601)
  expect((await release(id, beto)).status).toBe(204)
  expect((await claim(id, beto)).json.data).toMatchObject({
    claim: null,
    pix: null,
    earlier: { by: { _id: carla.id } },
  })
  expect((await release(id, carla)).status).toBe(204)
  expect((await claim(id, beto)).json.data).toMatchObject({ earlier: null, claim: { by: { _id: beto.id } } })
})

test("a bank account is paid by its fields: it has no code", async () => {
  const bankData = { bank: "001", agency: "1234", account: "56789-0", accountType: "corrente" }
  const id = await approved({ paymentMethod: "bank_transfer", bankData })
  expect((await claim(id, carla)).json.data).toMatchObject({ pix: null, withdrawal: { bankData } })
})

test("the bank's id is read from a receipt's text, and pays one withdrawal, also of two at once", async () => {
  const [first, second] = [await approved(), await approved()]
  const e2e = "E00038166202611211400abcdEFGH123"
  const receipt = `Comprovante Pix\nValor R$ 10,01\nID da transação: ${e2e}\nRealizado em 21/11/2026`
  const replies = await Promise.all([complete(first, carla, receipt), complete(second, beto, e2e)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(replies.find(({ status }) => status === 409)?.json.code).toBe("bank_id_used")
  const [paid, open] = replies[0]?.status === 200 ? [first, second] : [second, first]
  expect(await shown(paid)).toMatchObject({ status: "completed", bankId: e2e, endToEndId: e2e })
  expect(await shown(open)).toMatchObject({ status: "approved", bankId: null })
  expect((await complete(open, carla, "TED 42")).status).toBe(200)
  expect(await shown(open)).toMatchObject({ bankId: "TED 42", endToEndId: null })
  expect((await complete(open, carla, "TED 42")).json.code).toBe("withdrawal_not_completable")
})

test("a key that was changed after the approval is never shown, nor paid", async () => {
  const id = await approved()
  await asOwner(
    site.database,
    `set session_replication_role = replica; update withdrawals set pix_key = 'ladrao@loja.example' where id = '${id}'`,
  )
  const refused = await claim(id, carla)
  expect([refused.status, refused.json.code]).toEqual([409, "order_not_authentic"])
  expect(JSON.stringify(refused.json)).not.toContain("ladrao")
  expect((await complete(id, carla)).json.code).toBe("order_not_authentic")
  expect((await shown(id)).waitsBecause).toBe("not_authentic")
})

test("a frozen account, a pending request and one's own are not paid", async () => {
  const pending = await site.call("POST", "/api/v1/withdrawals", {
    token: seller.token,
    body: { amount: 10, paymentMethod: "pix", pixKey: "ana@loja.example" },
  })
  expect((await claim(pending.json.data.withdrawal._id, carla)).json.code).toBe("withdrawal_not_completable")
  expect((await claim("0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27", carla)).status).toBe(404)
  expect((await claim(await approved(), seller)).status).toBe(403)
})

test("killed while it is marked as paid, a payment stays with whoever began it, and is paid once", async () => {
  const id = await approved()
  await claim(id, carla)
  const dies = "begin raise exception 'killed'; end"
  await asOwner(site.database, `create function die() returns trigger language plpgsql as $$${dies}$$`)
  for (const table of ["hand_payouts", "withdrawals", "journal"]) {
    await asOwner(
      site.database,
      `create trigger dies after insert or update or delete on ${table} execute function die()`,
    )
    expect([table, (await complete(id, carla)).status]).toEqual([table, 500])
    await asOwner(site.database, `drop trigger dies on ${table}`)
    expect(await shown(id)).toMatchObject({ status: "approved", claim: { by: { _id: carla.id } } })
  }
  expect((await complete(id, beto)).json.code).toBe("withdrawal_claimed")
  expect((await complete(id, carla)).status).toBe(200)
  expect((await complete(id, carla)).json.code).toBe("withdrawal_not_completable")
})

test("where protection is strict the first of two words leaves the doubt about whoever fell silent", async () => {
  const [id, own] = [await approved(), await approved()]
  const davi = await newPerson(site, "davi@tilinta.example", "admin")
  site.clock.pass(8 * 86_400)
  const act = ({ id: adminId }: Person, isChecked: boolean) => ({ admin: { id: adminId, address: null }, isChecked })
  const begin = (each: string, person: Person) =>
    claimWithdrawal(site, { id: each, ...act(person, false), shownHolder: null })
  const strictly = (each: string, person: Person, isChecked: boolean) =>
    returnWithdrawal(
      { ...site, psp: { payouts: null }, protection: "strict" },
      { id: each, ...act(person, isChecked), reason: "Não saiu" },
    )
  expect((await begin(id, carla)).claim).not.toBeNull()
  expect((await begin(own, carla)).claim).not.toBeNull()
  site.clock.pass(601)
  expect((await strictly(id, beto, true)).waits).toMatchObject({ askedBy: beto.id })
  await expect(strictly(id, davi, false)).rejects.toMatchObject({ code: "withdrawal_held" })
  expect(await begin(id, davi)).toMatchObject({ claim: null, code: null, earlier: { by: { id: carla.id } } })
  expect(await strictly(id, davi, true)).toMatchObject({ waits: null, withdrawal: { status: "rejected" } })

  // Carla began it, and says herself that it was not paid: nobody else may wonder.
  expect((await strictly(own, carla, false)).waits).toMatchObject({ askedBy: carla.id })
  expect(await strictly(own, davi, false)).toMatchObject({ waits: null, withdrawal: { status: "rejected" } })
})
