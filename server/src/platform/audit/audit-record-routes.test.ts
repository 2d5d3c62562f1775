import { auditActions, auditFieldLabels } from "@tilinta/contract/vocabulary/audit"
import { sql } from "kysely"
import { afterAll, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { newPerson } from "../../../test-support/admins.ts"
import { asOwner } from "../../../test-support/as-owner.ts"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { parseCsv } from "../../../test-support/parse-csv.ts"
import { plansOf } from "../../../test-support/query-plans.ts"
import { downloadXlsx } from "../../../test-support/read-xlsx.ts"
import { openTestApp } from "../../../test-support/test-app.ts"
import { listAuditRows } from "./reads.ts"
import { recordAudit } from "./record.ts"

const chargeId = newId()

const url = "/api/v1/admin/audit-records"

const site = await openTestApp()
const admin = await newPerson(site, "chefe@tilinta.example", "admin")
const seller = await newPerson(site, "ana@loja.example")
await giveBalance(site.db, seller.id, 100_000)
const order = { amount: 50, paymentMethod: "pix", pixKey: "ana@loja.example" }
const reply = await site.call("POST", "/api/v1/withdrawals", { token: seller.token, body: order })
const withdrawalId: string = reply.json.data.withdrawal._id
site.clock.pass(60)
const decision = { token: admin.token, body: { adminNotes: "conferido" }, from: "203.0.113.9" }
await site.call("PATCH", `/api/v1/admin/withdrawals/${withdrawalId}/reject`, decision)
for (let tens = 0; tens < 2; tens++) {
  site.clock.pass(36_000)
  await site.call("GET", "/api/v1/users/me", { token: admin.token })
}
await site.call("POST", "/api/v1/settings/initialize", { token: admin.token })
const change = { token: admin.token, body: { value: "Feira & Cia" } }
await site.call("PATCH", "/api/v1/settings/PLATFORM_NAME", change)
const body = { phone: "11912345678", bankAccount: { pixKey: "b6295ee1-f054-47d1-9e90-ee57b74f60d9" } }
await site.call("PATCH", "/api/v1/users/updateMe", { token: seller.token, body })
const refund = { status: "completed", amountCents: 1_000, chargeId, sellerId: seller.id, endToEndId: "E1" }
const entry = { actor: null, happenedAt: site.clock.now(), action: "refund.by_bank", entity: "refund" } as const
await site.db
  .transaction()
  .execute((tx) => recordAudit(tx, { ...entry, entityId: newId(), before: null, after: refund }))

afterAll(() => site.close())

interface Record {
  _id: string
  action: string
  changes: { field: string }[]
}

const ask = async (query: string) => (await site.call("GET", `${url}?${query}`, { token: admin.token })).json.data
const actionsOf = async (query: string) => (await ask(query)).records.map(({ action }: Record) => action)

test("a record holds the actor, action, subject, time, address and changes", async () => {
  const { records, next } = await ask(`entity=withdrawal&entityId=${withdrawalId}`)
  expect(next).toBeNull()
  expect(records).toMatchObject([
    {
      happenedAt: "2026-11-21T12:01:00.000Z",
      action: "withdrawal.rejected",
      actor: { _id: admin.id, name: "Ana Souza", email: admin.email },
      actorAddress: "203.0.113.9",
      entity: "withdrawal",
      entityId: withdrawalId,
      about: { user: { _id: seller.id, name: "Ana Souza" }, amount: 50, transactionId: null },
      changes: [
        { field: "status", before: "pending", after: "rejected" },
        { field: "adminNotes", before: null, after: "conferido" },
      ],
    },
    { action: "withdrawal.requested", actor: { _id: seller.id } },
  ])
})

test("every filter finds its own, alone and together", async () => {
  expect(await actionsOf("action=setting.update")).toEqual(["setting.update"])
  expect(await actionsOf("entity=setting&entityId=PLATFORM_NAME")).toEqual(["setting.update", "setting.create"])
  const signIns = ["session.opened", "session.opened"]
  expect(await actionsOf("dateTo=2026-11-21")).toEqual(["withdrawal.rejected", "withdrawal.requested", ...signIns])
  expect(await actionsOf("entity=session")).toEqual(signIns)
  expect(await actionsOf("dateFrom=2026-11-22&search=ANA@loja")).toEqual(["user.profile_updated"])
  expect(await actionsOf("search=nobody%25")).toEqual([])
  expect(await actionsOf(`entity=transaction&entityId=${chargeId}`)).toEqual(["refund.by_bank"])
  expect(await actionsOf("entity=transaction")).toEqual(["refund.by_bank"])
  expect(await actionsOf(`entity=user&entityId=${seller.id}`)).toEqual(["user.profile_updated"])
  for (const query of ["action=nada", "entity=nada", "dateFrom=2026-11-22&dateTo=2026-11-21", "after=x"]) {
    expect((await site.call("GET", `${url}?${query}`, { token: admin.token })).status).toBe(400)
  }
  expect((await site.call("GET", `${url}?after=${newId()}`, { token: admin.token })).status).toBe(400)
})

test("what identifies a person is shown in part, and what has no label is nowhere", async () => {
  const text = JSON.stringify(await ask("limit=1000"))
  for (const secret of ["11912345678", "b6295ee1"]) expect(text).not.toContain(secret)
  const { records } = await ask("limit=1000")
  const fields = records.flatMap(({ changes }: Record) => changes.map(({ field }) => field))
  expect(Object.keys(auditFieldLabels)).toEqual(expect.arrayContaining(fields))
})

test("read part by part, every record comes once, also those of one instant", async () => {
  const all = (await ask("limit=1000")).records.map(({ _id }: Record) => _id)
  const read: string[] = []
  let after = ""
  do {
    const { records, next } = await ask(`limit=3${after}`)
    read.push(...records.map(({ _id }: Record) => _id))
    after = next === null ? "" : `&after=${next}`
  } while (after !== "")
  expect(read).toEqual(all)
  expect(all.length).toBeGreaterThan(10)
})

test("the file holds what the list finds, names what changed without its words, and is recorded itself", async () => {
  const query = "entity=withdrawal&dateTo=2026-11-21"
  const reply = await site.call("GET", `${url}/export?${query}`, { token: admin.token })
  expect(reply.headers["content-disposition"]).toBe('attachment; filename="auditoria_2026-11-22.csv"')
  expect(parseCsv(reply.text)).toMatchObject([
    {
      Data: "21/11/2026 09:01",
      Ação: "Saque rejeitado",
      Quem: "Ana Souza",
      "E-mail de quem fez": admin.email,
      "Endereço IP": "203.0.113.9",
      Sobre: "Saque",
      Identificador: withdrawalId,
      Usuário: "Ana Souza",
      "Campos alterados": "Observações, Status",
    },
    { Ação: "Saque solicitado", Quem: "Ana Souza" },
  ])
  const book = await downloadXlsx(site.app, `${url}/export?${query}&format=xlsx`, admin.token)
  expect(book.name).toContain('"auditoria_2026-11-22.xlsx"')
  expect(book.rows).toMatchObject([
    { Data: "2026-11-21 09:01:00", Ação: "Saque rejeitado", Identificador: withdrawalId, "Endereço IP": "203.0.113.9" },
    { Ação: "Saque solicitado" },
  ])
  const [own] = (await ask("entity=export")).records
  expect(own).toMatchObject({ action: "audit_records.exported", actor: { _id: admin.id } })
  const refused = await site.call("GET", `${url}/export`, { token: seller.token })
  expect(refused.status).toBe(403)
})

test("each filter has an index of its own", async () => {
  await sql`insert into audit_records (id, happened_at, actor_id, action, entity, entity_id)
    select gen_random_uuid(), now() - n * interval '1 minute', ${admin.id},
      (${auditActions}::text[])[1 + n % 20], 'setting', 'u' || n % 500
    from generate_series(1, 20000) n`.execute(site.db)
  await asOwner(site.database, "analyze audit_records")
  const filters = {
    audit_records_by_time: {},
    audit_records_by_action: { action: "user.created" },
    audit_records_by_entity: { entity: "setting", entityId: "u7" },
    audit_records_by_charge: { entity: "transaction", entityId: chargeId },
  } as const
  for (const [index, filter] of Object.entries(filters)) {
    const [plan = []] = await plansOf(site.database, (db) => listAuditRows(db, filter, { limit: 100 }))
    expect(plan.map((node) => node.index)).toContain(index)
  }
})
