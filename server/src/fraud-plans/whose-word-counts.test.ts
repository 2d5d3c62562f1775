import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { hashPassword } from "#people/users/passwords"
import { type Administrator, openFraudPlan, type Victim } from "../../test-support/fraud-plan.ts"

const plan = await openFraudPlan()
const stolen = await plan.administrator()
const honest = await plan.administrator()
const fresh = { role: "admin", active: true, admin_rights_from: null } as const
let victim: Victim

beforeEach(async () => {
  await plan.db.deleteFrom("second_approvals").execute()
  await plan.db.updateTable("freezes").set({ ended_at: plan.clock.now(), ended_by: honest.id }).execute()
  await plan.db.updateTable("users").set(fresh).where("id", "in", [stolen.id, honest.id]).execute()
  plan.clock.pass(9 * 86_400)
  victim = await plan.victim()
})

afterAll(() => plan.close())

type Method = "GET" | "POST" | "PATCH" | "DELETE"
async function by(admin: Pick<Administrator, "id">, method: Method, path: string, body?: object) {
  const token = await plan.freshSessionOf(admin as Administrator, "admin")
  return plan.call(method, `/api/v1/${path}`, { token, ...(body && { body }) })
}

/** The ways in which a word stops to count, and the word that counts again afterwards. */
const losses: [string, () => Promise<unknown>][] = [
  ["frozen", async () => plan.press(await plan.newNotMePath(stolen))],
  [
    "demoted",
    async () => {
      const demote = { role: "user" }
      await by(honest, "PATCH", `admin/users/${stolen.id}`, demote)
      return by(third, "PATCH", `admin/users/${stolen.id}`, demote)
    },
  ],
  [
    "demoted and inactivated",
    async () => {
      const demote = { role: "user" }
      await by(honest, "PATCH", `admin/users/${stolen.id}`, demote)
      await by(third, "PATCH", `admin/users/${stolen.id}`, demote)
      return by(honest, "DELETE", `admin/users/${stolen.id}`)
    },
  ],
]
const third = await plan.administrator()
await by(honest, "POST", "settings/initialize")

const correction = (sellerId: string, direction = "credit") => ({
  kind: "correction",
  direction,
  amount: 10,
  sellerId,
  reason: "Engano",
})
const word = { outcome: "not_paid", endToEndId: null, reason: "O banco encerrou a conta" }

async function unanswered(person: Victim): Promise<string> {
  const token = await plan.freshSessionOf(person)
  const body = { amount: 100, paymentMethod: "pix", pixKey: `${person.id}@loja.example` }
  const { json } = await plan.call("POST", "/api/v1/withdrawals", { token, body })
  const { _id: id } = json.data.withdrawal
  plan.clock.pass(25 * 3_600)
  await by(honest, "PATCH", `admin/withdrawals/${id}/approve`)
  // Handed over, and never answered for.
  const sent = { status: "processing", provider: "simulator", sent_at: plan.clock.now() } as const
  await plan.db.updateTable("withdrawals").set(sent).where("id", "=", id).execute()
  plan.clock.pass(2 * 86_400)
  return id
}

async function waitingOf(admin: Administrator) {
  const entries = await plan.db
    .selectFrom("manual_entries")
    .select("id")
    .where("created_by", "=", admin.id)
    .where("booked_at", "is", null)
    .where("refused_at", "is", null)
    .execute()
  const approvals = await plan.db.selectFrom("second_approvals").select("id").where("asked_by", "=", admin.id).execute()
  const words = await plan.db
    .selectFrom("hand_settlements")
    .select("subject_id")
    .where("proposed_by", "=", admin.id)
    .where("settled_at", "is", null)
    .execute()
  return entries.length + approvals.length + words.length
}

describe.each(losses)("the word of an administrator who is %s meanwhile", (_how, lose) => {
  test("is dropped in the journal, in settlements by hand and in approvals, and counts for nothing", async () => {
    const entry = (await by(stolen, "POST", "admin/journal", correction(victim.id))).json.data.entry
    const settled = await unanswered(victim)
    expect((await by(stolen, "PATCH", `admin/withdrawals/${settled}/settle`, word)).json.data.settled).toBe(false)
    await by(stolen, "PATCH", "settings/SECOND_APPROVAL_ABOVE", { value: 0 })
    expect(await waitingOf(stolen)).toBeGreaterThan(2)
    await lose()
    expect(await waitingOf(stolen)).toBe(0)
    expect(await by(honest, "PATCH", `admin/journal/${entry._id}/approve`)).toMatchObject({
      status: 409,
      json: { code: "manual_entry_refused" },
    })
    expect((await by(honest, "PATCH", `admin/withdrawals/${settled}/settle`, word)).json.data.settled).toBe(false)
    const setting = await by(honest, "PATCH", "settings/SECOND_APPROVAL_ABOVE", { value: 0 })
    expect(setting.json.data.pending).toBe(true)
  })
})

describe("a word that was left by one who counts no more", () => {
  test.each([
    ["inactive", { active: false }],
    ["no administrator", { role: "user" as const }],
    ["new", { admin_rights_from: new Date("2030-01-01T00:00:00Z") }],
  ])("is not counted: %s", async (_how, change) => {
    const entry = (await by(stolen, "POST", "admin/journal", correction(victim.id))).json.data.entry
    const id = await unanswered(victim)
    await by(stolen, "PATCH", `admin/withdrawals/${id}/settle`, word)
    await plan.db.updateTable("users").set(change).where("id", "=", stolen.id).execute()
    expect((await by(honest, "PATCH", `admin/journal/${entry._id}/approve`)).json.code).toBe("manual_entry_orphaned")
    expect((await by(honest, "PATCH", `admin/withdrawals/${id}/settle`, word)).json.data.settled).toBe(false)
  })

  test("is not counted where a freeze is written by another way", async () => {
    const entry = (await by(stolen, "POST", "admin/journal", correction(victim.id))).json.data.entry
    const id = await unanswered(victim)
    await by(stolen, "PATCH", `admin/withdrawals/${id}/settle`, word)
    const at = plan.clock.now()
    const freeze = { id: "019aa6d1-5d3c-7c1f-8f0e-0b5a7c9d1e31", user_id: stolen.id, frozen_at: at, address: "" }
    await plan.db
      .insertInto("freezes")
      .values({ ...freeze, trusts_factors_until: at })
      .execute()
    expect((await by(honest, "PATCH", `admin/journal/${entry._id}/approve`)).json.code).toBe("manual_entry_orphaned")
    expect((await by(honest, "PATCH", `admin/withdrawals/${id}/settle`, word)).json.data.settled).toBe(false)
  })
})

describe("the only other administrator's money", () => {
  beforeEach(async () => {
    await plan.db.updateTable("users").set({ role: "user" }).where("id", "=", third.id).execute()
    await plan.give(stolen, 100_000)
  })

  const refused = { status: 409, json: { code: "no_third_administrator" } }

  test.each(["credit", "debit"])(
    "isn't corrected by one alone (%s), but by two once there is a third",
    async (direction) => {
      expect(await by(honest, "POST", "admin/journal", correction(stolen.id, direction))).toMatchObject(refused)
      await plan.db.updateTable("users").set({ role: "admin" }).where("id", "=", third.id).execute()
      const { entry } = (await by(honest, "POST", "admin/journal", correction(stolen.id, direction))).json.data
      expect(entry).toMatchObject({ bookedAt: null, alone: false })
      expect((await by(third, "PATCH", `admin/journal/${entry._id}/approve`)).json.data.entry.bookedAt).not.toBeNull()
    },
  )

  test("isn't settled by hand by one alone", async () => {
    const id = await unanswered(victim)
    await plan.db
      .updateTable("users")
      .set({ role: "admin", password_hash: await hashPassword("x") })
      .where("id", "=", victim.id)
      .execute()
    await plan.db.updateTable("users").set({ role: "user" }).where("id", "=", stolen.id).execute()
    expect(await by(honest, "PATCH", `admin/withdrawals/${id}/settle`, word)).toMatchObject(refused)
    await plan.db.updateTable("users").set({ role: "user" }).where("id", "=", victim.id).execute()
  })

  test("isn't a seller's, whom one alone corrects where there is no other administrator at all", async () => {
    await plan.db.updateTable("users").set({ role: "user" }).where("id", "=", stolen.id).execute()
    const { entry } = (await by(honest, "POST", "admin/journal", correction(victim.id))).json.data
    expect(entry).toMatchObject({ alone: true })
  })
})

test("a bank's name that is written otherwise is the same account: one alone approves the threshold once", async () => {
  const spellings = [
    "Itaú",
    "341",
    "Itau Unibanco",
    "341 - Itaú",
    "ITAÚ UNIBANCO S.A.",
    "Banco Itaú",
    "60701190",
    "Itauu",
  ]
  const ids: string[] = []
  for (const bank of spellings) {
    const person = await plan.victim()
    await plan.give(person, 500_000)
    const bankData = { bank, agency: "7777", account: "12345-6", accountType: "corrente" }
    const body = { amount: 4_000, paymentMethod: "bank_transfer", bankData }
    const token = await plan.freshSessionOf(person)
    ids.push((await plan.call("POST", "/api/v1/withdrawals", { token, body })).json.data.withdrawal._id)
  }
  plan.clock.pass(25 * 3_600)
  const statuses: string[] = []
  for (const id of ids) {
    statuses.push((await by(honest, "PATCH", `admin/withdrawals/${id}/approve`)).json.data.withdrawal.status)
  }
  expect(statuses).toEqual(["approved", ...spellings.slice(1).map(() => "pending")])
})

test("a destination that was used isn't new again in another spelling of its bank", async () => {
  await plan.give(victim, 500_000)
  const request = async (bankData: object) => {
    const token = await plan.freshSessionOf(victim)
    const body = { amount: 10, paymentMethod: "bank_transfer", bankData: { accountType: "corrente", ...bankData } }
    return (await plan.call("POST", "/api/v1/withdrawals", { token, body })).json.data.withdrawal.heldUntil
  }
  expect(await request({ bank: "Itaú", agency: "0777", account: "12345-6" })).not.toBeNull()
  plan.clock.pass(25 * 3_600)
  expect(await request({ bank: "341 - ITAÚ UNIBANCO S.A.", agency: "777", account: "123456" })).toBeNull()
  expect(await request({ bank: "Bradesco", agency: "777", account: "123456" })).not.toBeNull()
  expect(await request({ bank: "Itaú", agency: "777", account: "123457" })).not.toBeNull()
})
