import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { verifyLedger } from "#ledger/reads"
import { txidOf } from "#money/hand-payouts/rules"
import { erasePersonalData } from "#start/retention"
import { newPerson, type Person } from "../../../test-support/admins.ts"
import { asOwner } from "../../../test-support/as-owner.ts"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { saveSetting } from "../../../test-support/save-setting.ts"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"
import { readRemittanceReturn } from "./returns.ts"

let bank: Sandbox
let site: TestApp
let carla: Person
let beto: Person
let seller: Person
let made = 0

beforeAll(async () => {
  bank = await openSandbox()
  site = await openTestApp({ psp: { ...bank.psp, payouts: null } })
  await saveSetting(site.db, "PAYOUT_AGENCY", "1234-5")
  await saveSetting(site.db, "PAYOUT_ACCOUNT", "56789-0")
  await saveSetting(site.db, "PAYOUT_AGREEMENT", "123456")
  await saveSetting(site.db, "LEGAL_NAME", "Tilinta Pagamentos Ltda")
  await saveSetting(site.db, "LEGAL_CNPJ", "11.222.333/0001-81")
})

beforeEach(async () => {
  made += 1
  carla = await newPerson(site, `carla${made}@tilinta.example`, "admin")
  beto = await newPerson(site, `beto${made}@tilinta.example`, "admin")
  seller = await newPerson(site, `ana${made}@loja.example`)
  await giveBalance(site.db, seller.id, 100_000)
  await saveSetting(site.db, "PAYOUT_BANK", "001")
})

afterAll(async () => {
  expect(await verifyLedger(site.db)).toEqual([])
  await site.close()
  await bank.close()
})

const pix = () => ({ paymentMethod: "pix", pixKey: seller.email })
const account = { bank: "341", agency: "4321", account: "98765-4", accountType: "corrente" }
const transfer = { paymentMethod: "bank_transfer", bankData: account }

async function approved(to: object = pix(), amount = 10.01): Promise<string> {
  const asked = await site.call("POST", "/api/v1/withdrawals", { token: seller.token, body: { amount, ...to } })
  const id: string = asked.json.data.withdrawal._id
  await site.call("PATCH", `/api/v1/admin/withdrawals/${id}/approve`, { token: carla.token })
  return id
}

const call = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, { token }: Person, body?: object) =>
  site.call(method, `/api/v1/admin/${path}`, { token, ...(body && { body }) })
const make = (ids: string[], kind: "pix" | "ted" = "pix", by = carla, key?: string) =>
  site.app.inject({
    method: "POST",
    url: "/api/v1/admin/remittances",
    headers: { authorization: `Bearer ${by.token}`, ...(key !== undefined && { "idempotency-key": key }) },
    payload: { ids, kind },
  })
const shown = async (id: string, by = carla) => (await call("GET", `withdrawals/${id}`, by)).json.data.withdrawal
const statusOf = async (id: string) =>
  (await site.db.selectFrom("withdrawals").select("status").where("id", "=", id).executeTakeFirstOrThrow()).status
const giveBack = (id: string, by: Person, body: object = {}) =>
  call("PATCH", `withdrawals/${id}/return`, by, { reason: "Não saiu", ...body })
const claim = (id: string, by = beto, body: object = {}) => call("POST", `withdrawals/${id}/claim`, by, body)

/** The bank's return: the file's own payments, each with these codes. */
function answerTo(file: string, codes: readonly string[]): string {
  const records = file.split("\r\n").filter((record) => record !== "")
  let payment = -1
  return records
    .map((record) => {
      if (record[7] === "0") return `${record.slice(0, 142)}2${record.slice(143)}`
      if (record[13] !== "A") return record
      payment += 1
      return record.slice(0, 230) + (codes[payment] ?? "").padEnd(10)
    })
    .join("\r\n")
}

async function readAll(file: string, by = carla) {
  const reply = await site.app.inject({
    method: "POST",
    url: "/api/v1/admin/remittances/returns",
    headers: { authorization: `Bearer ${by.token}`, "content-type": "text/plain" },
    payload: Buffer.from(file, "latin1"),
  })
  return reply.json().data ?? reply.json()
}

async function read(file: string, by = carla) {
  const read = await readAll(file, by)
  return read.entries ?? read
}

test("a remittance is paid, refused and returned as its return says, and the same return again changes nothing", async () => {
  const ids = [await approved(), await approved(), await approved()].toSorted()
  const reply = await make(ids)
  expect([reply.statusCode, reply.headers["content-disposition"]]).toEqual([
    200,
    expect.stringMatching(/remessa_\d{6}\.rem/),
  ])
  const answer = answerTo(reply.body, ["00", "PJ", "BD"])
  for (let times = 0; times < 2; times += 1) {
    expect(await read(answer)).toEqual([
      { withdrawalId: ids[0], outcome: "paid", reason: "" },
      { withdrawalId: ids[1], outcome: "refused", reason: "Chave Pix não cadastrada (ocorrência PJ)" },
      { withdrawalId: ids[2], outcome: "accepted", reason: "" },
    ])
  }
  expect(await shown(ids[0] ?? "")).toMatchObject({ status: "completed", bankId: expect.stringContaining("remessa ") })
  // Refused: it waits for a payment again. Taken in: nobody else pays it.
  expect((await claim(ids[1] ?? "")).status).toBe(200)
  expect((await claim(ids[2] ?? "")).json.code).toBe("withdrawal_claimed")
  await read(answerTo(reply.body, ["00", "PJ", "00"]))
  expect((await shown(ids[2] ?? "")).status).toBe("completed")
  await read(answerTo(reply.body, ["DV", "PJ", "00"]))
  expect(await shown(ids[0] ?? "")).toMatchObject({ status: "rejected", returnedAmount: 10.01 })
})

test("what a statement shows as paid goes into no file", async () => {
  const id = await approved()
  const line = `${site.clock.now().toISOString().slice(0, 10)};PIX ${txidOf(id)};-10,01`
  const body = Buffer.from(`Data;Histórico;Valor\n${line}`)
  expect((await site.call("POST", "/api/v1/admin/bank-statements", { token: carla.token, body })).status).toBe(200)
  const refused = (await make([id])).json()
  expect(refused.code).toBe("withdrawal_claimed")
  expect(refused.message).toContain("extrato importado já mostra o pagamento")
})

test("a number is written once, whoever asks at once, and the same key answers the same file", async () => {
  const ids = [await approved(), await approved(), await approved(), await approved()]
  const files = await Promise.all(ids.map((id) => make([id])))
  const numbers = files.map(({ body }) => body.slice(157, 163))
  expect(new Set(numbers).size).toBe(4)
  const id = await approved()
  const key = `remessa-${id}`
  const [first, second] = await Promise.all([make([id], "pix", carla, key), make([id], "pix", carla, key)])
  expect(second.body).toBe(first.body)
  expect((await make([id], "pix", carla, key)).body).toBe(first.body)
  expect((await make([id])).json().code).toBe("withdrawal_claimed")
})

test("after thirty days a file is gone, and its number, its payments and its return are not", async () => {
  const id = await approved()
  const key = `remessa-${id}`
  const { body } = await make([id], "pix", carla, key)
  const after = (days: number) => ({ ...site, clock: { now: () => secondsAfter(site.clock.now(), days * 86_400) } })
  await erasePersonalData(after(29))
  expect((await make([id], "pix", carla, key)).body).toBe(body)
  for (let times = 0; times < 2; times += 1) {
    await erasePersonalData(after(31))
    expect((await make([id], "pix", carla, key)).json().code).toBe("not_found")
  }
  expect(await read(answerTo(body, ["00"]))).toMatchObject([{ withdrawalId: id, outcome: "paid" }])
})

test("what waits for a return says in which remittance it stands, whose file can be fetched again", async () => {
  const id = await approved()
  const { body: file } = await make([id])
  const sequence = Number(file.slice(157, 163))
  expect((await shown(id)).remittance).toEqual({ sequence, at: expect.any(String) })
  const again = await site.call("GET", `/api/v1/admin/remittances/${sequence}`, { token: beto.token })
  expect([again.status, again.text]).toEqual([200, file])
  expect((await call("GET", "remittances/999999", beto)).json.code).toBe("not_found")
  await read(answerTo(file, ["PJ"]))
  expect((await shown(id)).remittance).toBeNull()
})

test("a return names what it paid, and says what may have been paid twice", async () => {
  const [refused, late, again] = [await approved(), await approved(), await approved()]
  const { body: first } = await make([refused])
  expect((await readAll(answerTo(first, ["PJ"]))).withdrawals).toMatchObject([{ _id: refused, amount: 10.01 }])
  const { body: second } = await make([late])
  site.clock.pass(86_400)
  const admin = await newPerson(site, `next${made}@tilinta.example`, "admin")
  await claim(late, admin, { checked: true })
  await call("PATCH", `withdrawals/${late}/complete`, admin)
  expect(await read(answerTo(second, ["00"]), admin)).toEqual([
    { withdrawalId: late, outcome: "paid", reason: expect.stringContaining("duas vezes") },
  ])
  // The second payment bounces, and the seller keeps the first.
  for (let times = 0; times < 2; times += 1) {
    expect(await read(answerTo(second, ["DV"]), admin)).toEqual([
      { withdrawalId: late, outcome: "returned", reason: expect.stringContaining("pago de outra forma") },
    ])
  }
  expect(await shown(late, admin)).toMatchObject({ status: "completed", returnedAmount: 0 })
  const token = { token: admin.token, body: { ids: [again], kind: "pix" } }
  const { text: third } = await site.call("POST", "/api/v1/admin/remittances", token)
  await read(answerTo(third, ["00"]), admin)
  // Refused after it was paid: nothing changes, and a person looks.
  expect(await read(answerTo(third, ["PJ"]), admin)).toEqual([
    { withdrawalId: again, outcome: "refused", reason: expect.stringContaining("já consta como pago") },
  ])
  expect(await read(answerTo(third, ["00"]), admin)).toMatchObject([{ outcome: "paid", reason: "" }])
})

test("two who pay one at once, by hand and by remittance, are one", async () => {
  const id = await approved()
  const [claimed, file] = await Promise.all([claim(id), make([id])])
  expect([claimed.status, file.statusCode].toSorted()).toEqual([200, 409])
})

test("an account that the layout can't hold is refused, and no other is written for it", async () => {
  const to = (changed: object) => ({ ...transfer, bankData: { ...account, ...changed } })
  for (const changed of [{ account: "12345-67" }, { account: "1234567890123456" }, { agency: "123456" }]) {
    const reply = await make([await approved(to(changed))], "ted")
    expect([changed, reply.statusCode, reply.json().code]).toEqual([changed, 422, "validation_failed"])
    expect(reply.json().message).toContain("pague este saque manualmente")
  }
})

test("only what may be paid by hand stands in it, and of one kind", async () => {
  const [byPix, byTed] = [await approved(), await approved(transfer)]
  expect((await make([byTed])).json().code).toBe("withdrawal_not_completable")
  expect((await make([byPix], "ted")).json().code).toBe("withdrawal_not_completable")
  expect((await make([byTed], "ted")).body).toContain("34104321 0000000987654")
  const changed = await approved()
  await asOwner(
    site.database,
    `set session_replication_role = replica; update withdrawals set pix_key = 'ladrao@loja.example' where id = '${changed}'`,
  )
  const refused = await make([byPix, changed])
  expect([refused.statusCode, refused.json().code]).toEqual([409, "order_not_authentic"])
  expect(refused.body).not.toContain("ladrao")
  await saveSetting(site.db, "PAYOUT_BANK", "")
  expect((await make([byPix])).json().code).toBe("payout_account_missing")
})

test("a return that never comes is a person's to look at, after a day", async () => {
  const id = await approved()
  await make([id])
  expect((await claim(id, carla, { checked: true })).json.code).toBe("withdrawal_claimed")
  site.clock.pass(86_400)
  const admin = await newPerson(site, `late${made}@tilinta.example`, "admin")
  expect((await claim(id, admin)).json.data).toMatchObject({
    claim: null,
    pix: null,
    earlier: { by: { _id: carla.id } },
  })
  expect((await claim(id, admin, { checked: true })).json.data.pix.pixCode).toMatch(/^000201/)
})

test("what a return never answered is given back once somebody looked at the bank, and its late return says so", async () => {
  const id = await approved()
  const { body: file } = await make([id])
  expect((await giveBack(id, carla, { checked: true })).json.code).toBe("withdrawal_claimed")
  site.clock.pass(86_400)
  const admin = await newPerson(site, `late${made}@tilinta.example`, "admin")
  const refused = await giveBack(id, admin)
  expect([refused.status, refused.json.code]).toEqual([409, "withdrawal_held"])
  expect(refused.json.message).toMatch(/^Este saque foi na remessa \d+, de .*, que ainda não teve retorno/)
  expect((await giveBack(id, admin, { checked: true })).status).toBe(200)
  expect(await read(answerTo(file, ["00"]), admin)).toMatchObject([{ reason: expect.stringContaining("duas vezes") }])
  expect(await read(answerTo(file, ["DV"]), admin)).toMatchObject([{ reason: expect.stringContaining("Só volta") }])
  expect(await shown(id, admin)).toMatchObject({ status: "rejected", returnedAmount: 0 })
})

test("a file names whom an earlier one may still pay, and asks to look at the bank", async () => {
  const [id, other] = [await approved(), await approved()]
  await make([id])
  site.clock.pass(86_400)
  const admin = await newPerson(site, `late${made}@tilinta.example`, "admin")
  const refused = await make([id, other], "pix", admin)
  expect([refused.statusCode, refused.json().code]).toEqual([409, "withdrawal_claimed"])
  expect(refused.json().message).toMatch(/R\$.10,01\. Este saque foi na remessa \d+, de .*, que ainda não teve retorno/)
  expect((await make([other], "pix", admin)).statusCode).toBe(200)
  await claim(id, admin, { checked: true })
  await call("DELETE", `withdrawals/${id}/claim`, admin)
  expect((await make([id], "pix", admin)).statusCode).toBe(200)
})

test("a file names whom somebody else began to pay and never said so", async () => {
  const [id, other] = [await approved(), await approved()]
  await claim(id, beto)
  expect((await make([id, other])).json().message).toContain("está pagando este saque até")
  site.clock.pass(601)
  const refused = (await make([id, other])).json()
  expect(refused.code).toBe("withdrawal_claimed")
  const { name } = (await shown(id)).user
  expect(refused.message).toMatch(
    new RegExp(
      `^Saque de ${name}, R\\$.10,01\\. .* começou a pagar este saque em .*Confira no banco e pague este saque manualmente`,
    ),
  )
  expect((await make([other])).statusCode).toBe(200)
})

test("what the statement shows first is no second payment in the return, and comes back by it", async () => {
  const id = await approved()
  const { body: file } = await make([id])
  const row = `${site.clock.now().toISOString().slice(0, 10)};PIX ${seller.email};-10,01`
  const body = Buffer.from(`Data;Histórico;Valor\n${row}`)
  const told = await site.call("POST", "/api/v1/admin/bank-statements", { token: carla.token, body })
  const { _id, entries } = told.json.data.statement
  expect(entries).toMatchObject([{ match: "likely", withdrawalId: id }])
  await call("POST", `bank-statements/${_id}/confirm`, carla, { entryIds: [entries[0]._id] })
  expect((await shown(id)).status).toBe("completed")
  expect(await read(answerTo(file, ["PJ"]))).toMatchObject([{ reason: expect.stringContaining("já consta como pago") }])
  expect(await read(answerTo(file, ["00"]))).toEqual([{ withdrawalId: id, outcome: "paid", reason: "" }])
  for (let times = 0; times < 2; times += 1) {
    expect(await read(answerTo(file, ["DV"]))).toMatchObject([
      { outcome: "returned", reason: expect.stringContaining("DV") },
    ])
    expect(await shown(id)).toMatchObject({ status: "rejected", returnedAmount: 10.01 })
    // An older return again: what came back stays so.
    expect(await read(answerTo(file, ["00"]))).toEqual([{ withdrawalId: id, outcome: "paid", reason: "" }])
  }
})

test("what a first return says came back is back in the balance, though that return is the first word of it", async () => {
  const id = await approved()
  const { body: file } = await make([id])
  for (let times = 0; times < 2; times += 1) {
    expect(await read(answerTo(file, ["DV"]))).toMatchObject([
      { outcome: "returned", reason: expect.stringContaining("DV") },
    ])
  }
  expect(await shown(id)).toMatchObject({ status: "rejected", returnedAmount: 0 })
})

test("a payment that came back by its return alone lends its debit to no later withdrawal", async () => {
  const id = await approved()
  const { body: file } = await make([id])
  await read(answerTo(file, ["DV"]))
  expect((await shown(id)).status).toBe("rejected")
  await approved()
  const row = `${site.clock.now().toISOString().slice(0, 10)};TED ${seller.email};-10,01`
  const body = Buffer.from(`Data;Histórico;Valor\n${row}`)
  const told = await site.call("POST", "/api/v1/admin/bank-statements", { token: carla.token, body })
  expect(told.json.data.statement.entries).toMatchObject([{ match: "doubtful", withdrawalId: null }])
})

test("what came back late gives nothing back while whoever reads the return is paying it by hand", async () => {
  const id = await approved()
  const { body: file } = await make([id])
  site.clock.pass(86_400)
  const admin = await newPerson(site, `late${made}@tilinta.example`, "admin")
  await claim(id, admin, { checked: true })
  expect(await read(answerTo(file, ["DV"]), admin)).toMatchObject([
    { reason: expect.stringContaining("não disse se pagou") },
  ])
  expect((await shown(id, admin)).status).toBe("approved")
  await call("DELETE", `withdrawals/${id}/claim`, admin)
  expect(await read(answerTo(file, ["DV"]), admin)).toMatchObject([{ reason: expect.stringContaining("DV") }])
  expect((await shown(id, admin)).status).toBe("rejected")
})

test("what came back of one file gives nothing back while another file waits for its return", async () => {
  const id = await approved()
  const { body: first } = await make([id])
  await read(answerTo(first, ["PJ"]))
  const { body: second } = await make([id])
  expect(await read(answerTo(first, ["DV"]))).toMatchObject([{ reason: expect.stringContaining("espere o retorno") }])
  expect((await shown(id)).status).toBe("approved")
  await read(answerTo(second, ["00"]))
  expect(await read(answerTo(first, ["DV"]))).toMatchObject([{ reason: expect.stringContaining("de outra forma") }])
  expect((await shown(id)).status).toBe("completed")
  await read(answerTo(second, ["DV"]))
  expect(await shown(id)).toMatchObject({ status: "rejected", returnedAmount: 10.01 })
})

test("where protection is strict what came back takes two people, and the second one's reading of the return is theirs", async () => {
  const id = await approved()
  const { body: file } = await make([id])
  await read(answerTo(file, ["00"]))
  site.clock.pass(8 * 86_400)
  const deps = { ...site, psp: { name: bank.psp.name, payouts: null }, protection: "strict" } as const
  const readStrictly = (admin: Person) =>
    readRemittanceReturn(deps, {
      file: Buffer.from(answerTo(file, ["DV"]), "latin1"),
      admin: { id: admin.id, address: null },
    })
  for (let times = 0; times < 2; times += 1) {
    const [first] = await readStrictly(carla)
    expect(first).toMatchObject({ outcome: "returned", reason: expect.stringContaining("outro administrador") })
    expect(await statusOf(id)).toBe("completed")
  }
  expect(await readStrictly(beto)).toMatchObject([{ outcome: "returned", reason: expect.stringContaining("DV") }])
  expect(await statusOf(id)).toBe("rejected")
})

test("killed between the completion and its note, the next run of the return finishes it", async () => {
  const id = await approved()
  const { body: file } = await make([id])
  await asOwner(
    site.database,
    "create function die() returns trigger language plpgsql as $$begin raise exception 'killed'; end$$; create trigger dies before update on remittance_entries execute function die()",
  )
  await read(answerTo(file, ["00"]))
  await asOwner(site.database, "drop trigger dies on remittance_entries")
  expect((await shown(id)).status).toBe("completed")
  expect(await read(answerTo(file, ["00"]))).toEqual([{ withdrawalId: id, outcome: "paid", reason: "" }])
})

test("a line that is nobody's, or of another amount, does nothing, and another file is refused", async () => {
  const id = await approved()
  const { body: file } = await make([id])
  expect(await read(answerTo(file, ["00"]).replace("000000000001001", "000000000001002"))).toMatchObject([
    { outcome: "unknown" },
  ])
  expect(await read(answerTo(file, ["00"]).replace("TLT", "XXX"))).toMatchObject([{ outcome: "unknown" }])
  expect(await read(file)).toMatchObject({ status: "fail" })
  expect((await shown(id)).status).toBe("approved")
})
