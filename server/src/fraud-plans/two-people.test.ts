import { afterAll, afterEach, describe, expect, test } from "vitest"
import { enrolTotp } from "../../test-support/enrol-totp.ts"
import { saveSetting } from "../../test-support/save-setting.ts"
import { openTwoAdmins, type Player } from "../../test-support/two-admins.ts"

const platform = await openTwoAdmins()
const chief = platform.chief
const deputy = platform.deputy
await resetSettings()

afterAll(() => platform.close())

afterEach(async () => {
  expect(await platform.left()).toEqual([])
  await platform.forgetApprovals()
  await platform.db.updateTable("users").set({ role: "user" }).where("id", "not in", [chief.id, deputy.id]).execute()
  await resetSettings()
})

async function resetSettings(): Promise<void> {
  await saveSetting(platform.db, "TRANSACTION_FEE_PERCENTAGE", 15)
  await saveSetting(platform.db, "SECOND_APPROVAL_ABOVE", 5_000)
}

const half = { status: 200, json: { data: { withdrawal: { status: "pending", approvals: 1, approvalsNeeded: 2 } } } }
const whole = { status: 200, json: { data: { withdrawal: { status: "approved", approvals: 2, approvalsNeeded: 2 } } } }
const needsAnother = { status: 409, json: { code: "second_approver_needed" } }
const waitsForYou = "Espera a sua aprovação: aprovar saque"
const waits = { status: 200, json: { data: { pending: true } } }

const fee = (admin: Player, value: number) =>
  platform.act(admin, "PATCH", "/settings/TRANSACTION_FEE_PERCENTAGE", { value })
const feeInForce = async () =>
  (await platform.call("GET", "/api/v1/public/settings/TRANSACTION_FEE_PERCENTAGE")).json.data.setting.value

async function auditOf(entityId: string) {
  const rows = platform.db.selectFrom("audit_records").select(["action", "actor_id"]).where("entity_id", "=", entityId)
  return (await rows.orderBy("id").execute()).map(({ action, actor_id }) => [action, actor_id])
}

describe("a large withdrawal", () => {
  test("needs two administrators, who stand in the audit beside its seller", async () => {
    const seller = await platform.seller()
    const id = await platform.requested(seller, 5_000.01)
    expect(await platform.approve(chief, id)).toMatchObject(half)
    expect(await platform.approve(chief, id)).toMatchObject(needsAnother)
    expect(await platform.statusOf(id)).toBe("pending")
    expect(await platform.approve(deputy, id)).toMatchObject(whole)
    expect(await auditOf(id)).toEqual([
      ["withdrawal.requested", seller.id],
      ["approval.asked", chief.id],
      ["approval.given", deputy.id],
      ["withdrawal.approved", deputy.id],
    ])
    await platform.expectTold(deputy, waitsForYou)
    await platform.expectListed(seller, "Saque aprovado: R$ 5.000,01")
    expect(await platform.left()).toEqual([`payout 5000.01 to ${seller.email}`])
    await platform.expectTold(seller, "Saque pago: R$ 5.000,01")
    const row = platform.db.selectFrom("withdrawals").select(["first_approved_by", "decided_by"]).where("id", "=", id)
    expect(await row.executeTakeFirst()).toEqual({ first_approved_by: chief.id, decided_by: deputy.id })
  })

  test("of exactly the limit needs one", async () => {
    const seller = await platform.seller()
    const id = await platform.requested(seller, 5_000)
    expect(await platform.approve(chief, id)).toMatchObject({
      status: 200,
      json: { data: { withdrawal: { status: "approved", approvals: 1, approvalsNeeded: 1 } } },
    })
    await platform.expectListed(seller, "Saque aprovado: R$ 5.000,00")
    expect(await platform.left()).toEqual([`payout 5000 to ${seller.email}`])
  })

  test("isn't approved by the same person through two sessions, by a batch, nor ended by hand", async () => {
    const bank = { paymentMethod: "bank_transfer", bankData: { bank: "Banco 1", agency: "0001", account: "12345-6" } }
    const seller = await platform.seller()
    const id = await platform.requested(seller, 9_000, bank)
    const elsewhere = await platform.secondSessionOf(chief)
    expect(await platform.approve(chief, id)).toMatchObject(half)
    expect(await platform.approve(elsewhere, id)).toMatchObject(needsAnother)
    expect(await platform.act(elsewhere, "PATCH", `/admin/withdrawals/${id}/complete`)).toMatchObject(needsAnother)
    const batch = await platform.act(elsewhere, "POST", "/admin/withdrawals/approve", { ids: [id] })
    expect(batch.json.data).toMatchObject({
      approvals: [{ code: "second_approver_needed", withdrawal: { status: "pending" } }],
      approved: { count: 0, amount: 0 },
    })
    expect(await platform.countApproved(seller)).toBe(0)
    await platform.expectTold(deputy, waitsForYou)
  })

  test("in a batch waits apart from the small ones, and a repeated key answers the same", async () => {
    const seller = await platform.seller()
    const ids = [await platform.requested(seller, 100), await platform.requested(seller, 7_000)]
    const headers = { "idempotency-key": "lote-1" }
    const send = () =>
      platform.call("POST", "/api/v1/admin/withdrawals/approve", { token: chief.token, headers, body: { ids } })
    await platform.act(chief, "GET", "/admin/approvals")
    const first = await send()
    expect(first.json).toMatchObject({
      message: "1 saque aprovado; 1 à espera de outro administrador.",
      data: {
        approvals: [{ code: null }, { code: "second_approver_needed", withdrawal: { approvals: 1 } }],
        approved: { count: 1, amount: 100 },
      },
    })
    expect((await send()).json).toEqual(first.json)
    await platform.expectTold(deputy, waitsForYou)
    expect(await platform.left()).toEqual([`payout 100 to ${seller.email}`])
    const second = await platform.act(deputy, "POST", "/admin/withdrawals/approve", { ids: ids.slice(1) })
    expect(second.json.data.approved).toEqual({ count: 1, amount: 7_000 })
    await platform.expectListed(seller, "Saque aprovado: R$ 7.000,00")
    expect(await platform.left()).toEqual([`payout 7000 to ${seller.email}`])
  })

  test("that two approve at once is approved once; that one approves twice at once isn't", async () => {
    const seller = await platform.seller()
    const both = await platform.requested(seller, 6_000)
    const replies = await Promise.all([platform.approve(chief, both), platform.approve(deputy, both)])
    const states = replies.map(({ json }) => json.data.withdrawal.status)
    expect(states.toSorted()).toEqual(["approved", "pending"])
    await platform.expectListed(seller, "Saque aprovado: R$ 6.000,00")
    expect(await platform.left()).toEqual([`payout 6000 to ${seller.email}`])
    const alone = await platform.requested(seller, 6_000)
    const elsewhere = await platform.secondSessionOf(chief)
    const twice = await Promise.all([platform.approve(chief, alone), platform.approve(elsewhere, alone)])
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await platform.statusOf(alone)).toBe("pending")
  })

  test("whose first approval is older than 48 hours begins again", async () => {
    const seller = await platform.seller()
    const id = await platform.requested(seller, 6_000)
    await platform.approve(chief, id)
    platform.clock.pass(48 * 3600)
    expect(await platform.approve(deputy, id)).toMatchObject(half)
    await platform.expectTold(chief, waitsForYou)
    expect(await platform.left()).toEqual([])
    expect(await platform.approve(chief, id)).toMatchObject(whole)
    expect(await platform.left()).toEqual([`payout 6000 to ${seller.email}`])
  })

  test("doesn't count the word of somebody who is no administrator any more", async () => {
    const third = await platform.admin()
    const id = await platform.requested(await platform.seller(), 6_000)
    await platform.approve(third, id)
    await platform.db.updateTable("users").set({ role: "user" }).where("id", "=", third.id).execute()
    expect(await platform.approve(deputy, id)).toMatchObject(half)
  })

  test("of an administrator who sells needs two others: an accomplice isn't enough", async () => {
    const colluding = await platform.seller()
    const id = await platform.requested(colluding, 8_000)
    await platform.db.updateTable("users").set({ role: "admin" }).where("id", "=", colluding.id).execute()
    expect(await platform.approve(deputy, id)).toMatchObject(half)
    await enrolTotp(platform, colluding)
    expect((await platform.approve(await platform.secondSessionOf(colluding), id)).json.code).toBe("own_withdrawal")
    expect(await platform.approve(deputy, id)).toMatchObject(needsAnother)
    expect(await platform.countApproved(colluding)).toBe(0)
  })

  test("needs one where one administrator is left, who may act for everybody", async () => {
    await platform.db.updateTable("users").set({ role: "user" }).where("id", "=", deputy.id).execute()
    try {
      const seller = await platform.seller()
      const id = await platform.requested(seller, 50_000)
      const { json } = await platform.approve(chief, id)
      expect(json.data.withdrawal).toMatchObject({ status: "approved", approvalsNeeded: 1 })
      expect(await platform.left()).toEqual([`payout 50000 to ${seller.email}`])
      expect((await fee(chief, 12)).json.data).toEqual({ setting: expect.objectContaining({ value: 12 }) })
      const system = await platform.act(chief, "GET", "/admin/system")
      expect(system.json.data.guard).toEqual({ protection: "strict", approvers: 1, secondApprovalAbove: 5_000 })
    } finally {
      await platform.db.updateTable("users").set({ role: "admin" }).where("id", "=", deputy.id).execute()
    }
  })

  test("needs one for any amount once two have agreed to that", async () => {
    await saveSetting(platform.db, "SECOND_APPROVAL_ABOVE", 0)
    const seller = await platform.seller()
    const id = await platform.requested(seller, 50_000)
    expect((await platform.approve(chief, id)).json.data.withdrawal.status).toBe("approved")
    await platform.expectListed(seller, "Saque aprovado: R$ 50.000,00")
    expect(await platform.left()).toEqual([`payout 50000 to ${seller.email}`])
    const system = await platform.act(chief, "GET", "/admin/system")
    expect(system.json.data.guard.secondApprovalAbove).toBeNull()
  })
})

describe("a request", () => {
  test("of one is listed for the other with everything that would change, and takes effect with the same call", async () => {
    expect(await fee(chief, 12)).toMatchObject({
      ...waits,
      json: { data: { pending: true, setting: { value: 15 }, approval: { askedBy: { _id: chief.id } } } },
    })
    await platform.expectTold(deputy, "Espera a sua aprovação: alterar configuração")
    expect(await fee(chief, 12)).toMatchObject(needsAnother)
    const list = (await platform.act(deputy, "GET", "/admin/approvals")).json.data
    expect(list.summary).toEqual({ waiting: 1, own: 0 })
    expect(list.approvals).toMatchObject([
      {
        act: "setting.change",
        subject: { _id: "TRANSACTION_FEE_PERCENTAGE" },
        changes: [{ field: "value", before: 15, after: 12 }],
        askedBy: { _id: chief.id, name: expect.stringMatching(/^Pessoa \d+$/) },
        askedAt: platform.clock.now().toISOString(),
      },
    ])
    expect((await platform.act(chief, "GET", "/admin/approvals")).json.data.summary).toEqual({ waiting: 0, own: 1 })
    const agreed = await fee(deputy, 12)
    expect([agreed.status, agreed.json.data]).toEqual([200, { setting: expect.objectContaining({ value: 12 }) }])
    expect(await feeInForce()).toBe(12)
    for (const admin of [chief, deputy]) {
      await platform.expectTold(admin, "Configuração alterada: TRANSACTION_FEE_PERCENTAGE")
    }
  })

  test("that was changed in between isn't what the second person agreed to", async () => {
    await fee(chief, 12)
    expect(await fee(chief, 99)).toMatchObject(waits)
    expect(await fee(deputy, 12)).toMatchObject(waits)
    expect(await fee(chief, 99)).toMatchObject(waits)
    expect(await feeInForce()).toBe(15)
  })

  test("doesn't hold for another state than the one that was seen", async () => {
    await fee(chief, 12)
    await saveSetting(platform.db, "TRANSACTION_FEE_PERCENTAGE", 5)
    expect(await fee(deputy, 12)).toMatchObject(waits)
    expect(await feeInForce()).toBe(5)
  })

  test("can be refused by the other and taken back by its author, once", async () => {
    for (const [by, message] of [
      [deputy, "Aprovação recusada. Nada mudou."],
      [chief, "Pedido retirado. Nada mudou."],
    ] as const) {
      const { approval } = (await fee(chief, 12)).json.data
      const end = () => platform.act(by, "PATCH", `/admin/approvals/${approval._id}/refuse`)
      expect((await end()).json.message).toBe(message)
      expect(await end()).toMatchObject({ status: 404, json: { code: "approval_not_found" } })
    }
    expect(await fee(deputy, 12)).toMatchObject(waits)
    const words = (await auditOf("TRANSACTION_FEE_PERCENTAGE")).map(([action]) => action)
    expect(words.slice(-5)).toEqual([
      "approval.asked",
      "approval.refused",
      "approval.asked",
      "approval.withdrawn",
      "approval.asked",
    ])
  })

  test("for a seller's own fee takes two, who tell the seller; only later codes have it", async () => {
    const seller = await platform.seller()
    const ownFee = (admin: Player, feePercentage: number | null) =>
      platform.act(admin, "PATCH", `/admin/users/${seller.id}`, { feePercentage })
    expect(await ownFee(chief, 0)).toMatchObject({ ...waits, json: { data: { user: { feePercentage: null } } } })
    const list = (await platform.act(deputy, "GET", "/admin/approvals")).json.data.approvals
    expect(list).toMatchObject([
      {
        act: "user.change",
        changes: [{ field: "feePercentage", before: null, after: 0 }],
        subject: { _id: seller.id },
      },
    ])
    expect(await ownFee(chief, 0)).toMatchObject(needsAnother)
    expect(await ownFee(deputy, 5)).toMatchObject(waits)
    expect((await ownFee(chief, 5)).json.data).toEqual({ user: expect.objectContaining({ feePercentage: 5 }) })
    expect((await platform.act(seller, "GET", "/users/me")).json.data.user.feePercentage).toBe(5)
    expect(await feeInForce()).toBe(15)
    await platform.expectTold(seller, "Um administrador alterou a sua conta")
  })

  test("that changes nothing grave waits for nobody", async () => {
    const path = "/settings/TRANSACTION_FEE_PERCENTAGE"
    const described = await platform.act(chief, "PATCH", path, { value: 15, description: "Taxa" })
    expect(described.json.data).toEqual({ setting: expect.objectContaining({ description: "Taxa" }) })
    const seller = await platform.seller()
    const renamed = await platform.act(chief, "PATCH", `/admin/users/${seller.id}`, { name: "Ana" })
    expect(renamed.json.data).toEqual({ user: expect.objectContaining({ name: "Ana" }) })
    expect((await platform.act(chief, "DELETE", `/admin/users/${seller.id}`)).status).toBe(204)
  })
})

describe("a new administrator", () => {
  async function promoted(): Promise<Player> {
    const seller = await platform.seller()
    const promote = (by: Player) => platform.act(by, "PATCH", `/admin/users/${seller.id}`, { role: "admin" })
    expect(await promote(chief)).toMatchObject({ ...waits, json: { data: { user: { role: "user" } } } })
    expect((await promote(deputy)).json.data.user.role).toBe("admin")
    await enrolTotp(platform, seller)
    return platform.secondSessionOf(seller)
  }

  test("only looks for 72 hours, however the call is made, and then counts", async () => {
    const third = await promoted()
    const selling = await platform.seller()
    const id = await platform.requested(selling, 9_000)
    const me = (await platform.act(third, "GET", "/users/me")).json.data.user
    expect(me.adminRightsFrom).toBe(new Date(platform.clock.now().getTime() + 72 * 3_600_000).toISOString())
    expect((await platform.act(third, "GET", "/admin/withdrawals")).status).toBe(200)
    const refused = { status: 403, json: { code: "admin_rights_pending" } }
    await platform.approve(chief, id)
    expect(await platform.approve(third, id)).toMatchObject(refused)
    expect(await platform.act(third, "PATCH", `/admin/withdrawals/${id}/reject`)).toMatchObject(refused)
    expect(await platform.act(third, "DELETE", `/admin/users/${deputy.id}`)).toMatchObject(refused)
    expect(await platform.act(third, "POST", "/settings/initialize")).toMatchObject(refused)
    expect(await platform.statusOf(id)).toBe("pending")
    platform.clock.pass(72 * 3600)
    await platform.approve(chief, id)
    expect(await platform.left()).toEqual([])
    expect(await platform.approve(third, id)).toMatchObject(whole)
    await platform.expectTold(selling, "Saque aprovado: R$ 9.000,00")
    expect(await platform.left()).toEqual([`payout 9000 to ${selling.email}`])
  })

  test("may act at once in the installation's first week", async () => {
    const first = platform.db.selectFrom("users").select("created_at").orderBy("created_at").limit(1)
    const { created_at: before } = await first.executeTakeFirstOrThrow()
    await platform.db
      .updateTable("users")
      .set({ created_at: platform.clock.now() })
      .where("created_at", "<", platform.clock.now())
      .execute()
    try {
      const third = await promoted()
      const selling = await platform.seller()
      const id = await platform.requested(selling, 100)
      expect((await platform.approve(third, id)).status).toBe(200)
      expect(await platform.left()).toEqual([`payout 100 to ${selling.email}`])
    } finally {
      await platform.db.updateTable("users").set({ created_at: before }).where("id", "=", chief.id).execute()
    }
  })
})
