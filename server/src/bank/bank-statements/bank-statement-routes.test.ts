import { afterAll, beforeAll, expect, test } from "vitest"
import type { Tx } from "#db/transaction"
import { verifyLedger } from "#ledger/reads"
import { txidOf } from "#money/hand-payouts/rules"
import { returnWithdrawal } from "#money/withdrawals/came-back"
import { endFreeze, freezeAccount } from "#people/freezes/freeze"
import { newPerson, type Person } from "../../../test-support/admins.ts"
import { asOwner } from "../../../test-support/as-owner.ts"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"

let bank: Sandbox
let site: TestApp
let carla: Person
let beto: Person
let seller: Person

beforeAll(async () => {
  bank = await openSandbox()
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

async function approved(amount: number, { token } = seller): Promise<string> {
  const body = { amount, paymentMethod: "pix", pixKey: "ana@loja.example" }
  const requested = await site.call("POST", "/api/v1/withdrawals", { token, body })
  const id: string = requested.json.data.withdrawal._id
  await site.call("PATCH", `/api/v1/admin/withdrawals/${id}/approve`, { token: carla.token })
  return id
}

const today = () => site.clock.now().toISOString().slice(0, 10)
const sent = (lines: string[], { token } = carla) =>
  site.call("POST", "/api/v1/admin/bank-statements", {
    token,
    body: Buffer.from(["Data;Histórico;Valor", ...lines].join("\n")),
  })
const confirm = (statementId: string, body: object, { token } = carla) =>
  site.call("POST", `/api/v1/admin/bank-statements/${statementId}/confirm`, { token, body })
const giveBack = (id: string, body: object = {}, { token } = beto) =>
  site.call("PATCH", `/api/v1/admin/withdrawals/${id}/return`, { token, body: { reason: "Conta congelada", ...body } })
const statusOf = async (id: string) =>
  (await site.call("GET", `/api/v1/admin/withdrawals/${id}`, { token: carla.token })).json.data.withdrawal

test("a sure debit completes its withdrawal, once, also by two at once; the second import is new to nobody", async () => {
  const id = await approved(12.34)
  const lines = [`${today()};Pix ${txidOf(id)};-12,34`, `${today()};Tarifa;-1,00`, `${today()};Pix recebido;77,77`]
  const { json } = await sent(lines)
  const { statement } = json.data
  expect(statement).toMatchObject({ new: 2, untoldCredits: [{ amount: 77.77 }] })
  expect(statement.entries).toMatchObject([
    { match: "sure", withdrawalId: id, amount: 12.34 },
    { match: "none", withdrawalId: null },
  ])
  expect((await statusOf(id)).status).toBe("approved")

  const entryIds = [statement.entries[0]._id]
  const replies = await Promise.all([confirm(statement._id, { entryIds }), confirm(statement._id, { entryIds }, beto)])
  const codes = replies.map((reply) => reply.json.data.confirmed[0].code)
  expect(codes.filter((code) => code === null)).toHaveLength(1)
  expect(await statusOf(id)).toMatchObject({ status: "completed", bankId: `extrato ${entryIds[0]}` })

  const again = (await sent(lines)).json.data.statement
  expect(again).toMatchObject({ _id: statement._id, new: 0 })
  expect(again.entries[0]).toMatchObject({ match: "known", withdrawalId: id })
  const third = await confirm(statement._id, { entryIds })
  expect(third.json.data.confirmed[0].code).toBe("entry_not_matched")
})

test("a doubtful debit completes nothing until a person chooses among its candidates", async () => {
  const [first, second] = [await approved(20), await approved(20)]
  const { statement } = (await sent([`${today()};Pix enviado;-20,00`])).json.data
  const [entry] = statement.entries
  expect(entry.match).toBe("doubtful")
  expect(entry.candidates.toSorted()).toEqual([first, second].toSorted())
  const unchosen = await confirm(statement._id, { entryIds: [entry._id] })
  expect(unchosen.json.data.confirmed[0].code).toBe("entry_not_matched")
  const stranger = await approved(21)
  const choose = (withdrawalId: string) =>
    confirm(statement._id, { entryIds: [entry._id], choices: [{ entryId: entry._id, withdrawalId }] })
  expect((await choose(stranger)).json.data.confirmed[0].code).toBe("entry_not_matched")
  expect((await choose(second)).json.data.confirmed[0].code).toBe(null)
  expect([(await statusOf(first)).status, (await statusOf(second)).status]).toEqual(["approved", "completed"])
  expect((await choose(first)).json.data.confirmed[0].code).toBe("entry_not_matched")
})

test("a debit that an OFX and a CSV tell completes one withdrawal", async () => {
  const [first, second] = [await approved(25), await approved(25)]
  const memo = `Pix ana@loja.example ${txidOf(first)}`
  const ofx = `<OFX><STMTTRN><DTPOSTED>${today()}<TRNAMT>-25.00<MEMO>${memo}</STMTTRN></OFX>`
  const { statement } = (await sent([ofx])).json.data
  const entryIds = [statement.entries[0]._id]
  expect((await confirm(statement._id, { entryIds })).json.data.confirmed).toMatchObject([{ code: null }])

  const twin = (await sent([`${today()};Pix ana@loja.example;-25,00`])).json.data.statement
  expect(twin.entries).toMatchObject([{ match: "doubtful", candidates: [second] }])
  const unchosen = await confirm(twin._id, { entryIds: [twin.entries[0]._id] })
  expect(unchosen.json.data.confirmed[0].code).toBe("entry_not_matched")
  expect((await statusOf(second)).status).toBe("approved")
})

test("what a statement shows as paid is not paid again before somebody looked", async () => {
  const id = await approved(44)
  const begin = (body: object = {}) =>
    site.call("POST", `/api/v1/admin/withdrawals/${id}/claim`, { token: carla.token, body })
  const { statement } = (await sent([`${today()};PIX ${txidOf(id).toLowerCase()};-43,99`])).json.data
  expect((await begin()).json.data).toMatchObject({ claim: null, pix: null, earlier: null, debitedOn: today() })
  expect((await begin({ checked: true })).json.data).toMatchObject({
    claim: { by: { _id: carla.id } },
    debitedOn: null,
  })

  const [entry] = statement.entries
  const choices = [{ entryId: entry._id, withdrawalId: id }]
  expect((await confirm(statement._id, { entryIds: [entry._id], choices })).json.data.confirmed[0].code).toBe(null)
  expect((await begin()).json.code).toBe("withdrawal_not_completable")
})

test("a payment that came back lends its debit to no later withdrawal", async () => {
  const first = await approved(47)
  await site.call("PATCH", `/api/v1/admin/withdrawals/${first}/complete`, { token: carla.token, body: {} })
  await giveBack(first)
  expect(await statusOf(first)).toMatchObject({ status: "rejected", returnedAmount: 47 })
  await approved(47)
  const unnamed = await sent([`${today()};PIX ana@loja.example;-47,00`])
  expect(unnamed.json.data.statement.entries).toMatchObject([{ match: "doubtful", withdrawalId: null }])
  const named = await sent([`${today()};PIX ana@loja.example ${txidOf(first)};-47,00`])
  expect(named.json.data.statement.entries).toMatchObject([{ match: "known", withdrawalId: first }])
})

test("a payment that was given back as unpaid lends its debit to no later withdrawal", async () => {
  const first = await approved(49)
  await giveBack(first)
  const second = await approved(49)
  const { entries } = (await sent([`${today()};PIX ana@loja.example ${txidOf(first)};-49,00`])).json.data.statement
  expect(entries).toMatchObject([{ match: "doubtful", withdrawalId: null, candidates: [second] }])
})

test("what a statement shows as paid is given back once somebody looked, also by two at once", async () => {
  const id = await approved(45)
  await sent([`${today()};PIX ${txidOf(id)};-44,99`])
  expect((await giveBack(id)).json.code).toBe("withdrawal_held")
  const replies = await Promise.all([giveBack(id, { checked: true }), giveBack(id, { checked: true }, carla)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await giveBack(id, { checked: true })).json.code).toBe("withdrawal_not_returnable")
  expect(await statusOf(id)).toMatchObject({ status: "rejected", returnedAmount: 0 })
})

test("killed between the completion and its note, a debit is known, and pays no other", async () => {
  const [first, second] = [await approved(48), await approved(48)]
  const lines = [`${today()};Pix enviado;-48,00`]
  const { statement } = (await sent(lines)).json.data
  const [entry] = statement.entries
  const choose = (withdrawalId: string) =>
    confirm(statement._id, { entryIds: [entry._id], choices: [{ entryId: entry._id, withdrawalId }] })
  const dies = "begin raise exception 'killed'; end"
  await asOwner(site.database, `create function die() returns trigger language plpgsql as $$${dies}$$`)
  await asOwner(site.database, "create trigger dies before update on bank_debits execute function die()")
  expect((await choose(first)).status).toBe(500)
  await asOwner(site.database, "drop trigger dies on bank_debits")
  expect((await statusOf(first)).status).toBe("completed")
  expect((await sent(lines)).json.data.statement.entries).toMatchObject([{ match: "known", withdrawalId: first }])
  for (const id of [first, second]) {
    expect((await choose(id)).json.data.confirmed[0].code).toBe("entry_not_matched")
  }
  expect((await statusOf(second)).status).toBe("approved")
})

test("only administrators may, and what is no statement is refused in words", async () => {
  expect((await sent([], seller)).status).toBe(403)
  const refused = await sent(["nada"])
  expect([refused.status, refused.json.code]).toEqual([422, "validation_failed"])
  expect((await confirm("x", { entryIds: ["y"] })).status).toBe(404)
})

test("what the bank paid of a frozen account is neither marked nor to be given back, and is marked afterwards", async () => {
  const id = await approved(31)
  const { statement } = (await sent([`${today()};Pix ${txidOf(id)};-31,00`])).json.data
  const entryIds = [statement.entries[0]._id]
  const own = { userId: seller.id, address: "203.0.113.9" }
  const change = <Done>(act: (tx: Tx) => Promise<Done>) => site.db.transaction().execute(act)
  await change((tx) => freezeAccount(tx, { ...own, trustsFactorsUntil: site.clock.now() }, site.clock.now()))
  const [refused] = (await confirm(statement._id, { entryIds })).json.data.confirmed
  expect(refused).toMatchObject({ withdrawalId: id, code: "withdrawal_held" })
  expect(refused.message).toMatch(/^O banco já pagou este saque.*conta congelada.*Não o devolva nem pague de novo/)
  const back = await giveBack(id)
  expect([back.status, back.json.code]).toEqual([409, "withdrawal_held"])
  expect(back.json.message).toMatch(/^O extrato importado já mostra o pagamento deste saque, de \d\d\/\d\d\/\d{4}/)
  expect((await statusOf(id)).status).toBe("approved")
  await change((tx) => endFreeze(tx, { ...own, by: { id: carla.id, address: null } }, site.clock.now()))
  expect((await confirm(statement._id, { entryIds })).json.data.confirmed).toMatchObject([{ code: null }])
  expect((await statusOf(id)).status).toBe("completed")
})

test("where protection is strict both people look before they give it back", async () => {
  const other = await newPerson(site, "bia@loja.example")
  await giveBalance(site.db, other.id, 100_000)
  const id = await approved(46, other)
  await sent([`${today()};PIX ${txidOf(id)};-46,00`])
  site.clock.pass(8 * 86_400)
  const strictly = ({ id: adminId }: Person, isChecked: boolean) =>
    returnWithdrawal(
      { ...site, psp: { payouts: null }, protection: "strict" },
      { id, admin: { id: adminId, address: null }, reason: "Não saiu", isChecked },
    )
  await expect(strictly(carla, false)).rejects.toMatchObject({ code: "withdrawal_held" })
  expect((await strictly(carla, true)).waits).toMatchObject({ askedBy: carla.id })
  await expect(strictly(beto, false)).rejects.toMatchObject({ code: "withdrawal_held" })
  expect(await strictly(beto, true)).toMatchObject({ waits: null, withdrawal: { status: "rejected" } })
})
