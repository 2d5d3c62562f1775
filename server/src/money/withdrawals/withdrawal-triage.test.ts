import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { newPerson, type Person } from "../../../test-support/admins.ts"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { openTestApp, type TestApp } from "../../../test-support/test-app.ts"

let site: TestApp
let chief: Person
let deputy: Person
let number = 0

beforeAll(async () => {
  site = await openTestApp()
  chief = await newPerson(site, "chefe@tilinta.example", "admin")
  deputy = await newPerson(site, "vice@tilinta.example", "admin")
})

afterAll(async () => {
  await site.close()
})

const url = "/api/v1/admin/withdrawals"
const key = "ana@loja.example"

async function newSeller(): Promise<Person> {
  number += 1
  const seller = await newPerson(site, `vendedor${number}@loja.example`)
  await giveBalance(site.db, seller.id, 100_000)
  return seller
}

async function ask(seller: Person, amount = 10, pixKey = key): Promise<string> {
  const body = { amount, paymentMethod: "pix", pixKey }
  return (await site.call("POST", "/api/v1/withdrawals", { token: seller.token, body })).json.data.withdrawal._id
}

async function askForSeveral(count: number): Promise<string[]> {
  const seller = await newSeller()
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) ids.push(await ask(seller))
  return ids
}

interface Batch {
  ids: unknown
  by?: Person
  idempotencyKey?: string
  adminNotes?: string
}

function approveAll({ ids, by = chief, idempotencyKey, adminNotes = "" }: Batch) {
  const headers: Record<string, string> = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }
  return site.call("POST", `${url}/approve`, { token: by.token, headers, body: { ids, adminNotes } })
}

interface Row {
  _id: string
  code: string | null
  withdrawal: { status: string } | null
}

const outcomesOf = ({ json }: { json: { data: { approvals: Row[] } } }) =>
  json.data.approvals.map(({ code, withdrawal }) => [code, withdrawal?.status])

const approvalsOf = async (ids: string[]) =>
  site.db
    .selectFrom("audit_records")
    .select(["entity_id", "actor_id"])
    .where("action", "=", "withdrawal.approved")
    .where("entity_id", "in", ids)
    .execute()

const read = async (id: string) => (await site.call("GET", `${url}/${id}`, { token: chief.token })).json.data.withdrawal

describe("several at once", () => {
  test("each is approved independently: one that can't be has its reason, and stops no other", async () => {
    const seller = await newSeller()
    await giveBalance(site.db, chief.id, 1_000)
    const [own, decided, paused] = [await ask(chief), await ask(seller), await newSeller()]
    const unpaid = await ask(paused)
    const [first, last] = [await ask(seller, 12.34), await ask(seller, 20)]
    await site.call("PATCH", `${url}/${decided}/reject`, { token: deputy.token })
    await site.db.updateTable("users").set({ active: false }).where("id", "=", paused.id).execute()

    const reply = await approveAll({ ids: [first, own, decided, unpaid, "nada", last], adminNotes: "lote da manhã" })
    expect(reply.status).toBe(200)
    expect(outcomesOf(reply)).toEqual([
      [null, "approved"],
      ["own_withdrawal", "pending"],
      ["withdrawal_not_pending", "rejected"],
      ["withdrawal_seller_inactive", "pending"],
      ["withdrawal_not_found", undefined],
      [null, "approved"],
    ])
    expect(reply.json).toMatchObject({
      message: "2 saques aprovados; 4 não puderam ser aprovados.",
      data: { approved: { count: 2, amount: 32.34 } },
    })
    expect(reply.json.data.approvals[2].message).toBe("Este saque não está mais pendente.")
    expect(await read(last)).toMatchObject({ status: "approved", adminNotes: "lote da manhã" })
    expect((await approvalsOf([first, last])).map(({ actor_id }) => actor_id)).toEqual([chief.id, chief.id])
  })

  test("asked twice with the same key: the same answer, and nothing is approved twice", async () => {
    const ids = await askForSeveral(2)
    const first = await approveAll({ ids, idempotencyKey: "lote-1" })
    expect(outcomesOf(first)).toEqual([
      [null, "approved"],
      [null, "approved"],
    ])
    expect((await approveAll({ ids, idempotencyKey: "lote-1" })).json).toEqual(first.json)
    expect(await approvalsOf(ids)).toHaveLength(2)
    const other = await approveAll({ ids: ids.slice(1), idempotencyKey: "lote-1" })
    expect([other.status, other.json.code]).toEqual([422, "idempotency_key_reused"])
    expect(outcomesOf(await approveAll({ ids, idempotencyKey: "lote-2" }))).toEqual([
      ["withdrawal_not_pending", "approved"],
      ["withdrawal_not_pending", "approved"],
    ])
  })

  test("concurrent requests with one key approve each once, and both succeed", async () => {
    const ids = await askForSeveral(3)
    const replies = await Promise.all([1, 2].map(() => approveAll({ ids, idempotencyKey: "lote-3" })))
    for (const reply of replies) expect(outcomesOf(reply)).toEqual(ids.map(() => [null, "approved"]))
    expect(await approvalsOf(ids)).toHaveLength(3)
  })

  test("two admins at the same time: each row is won by one of them, and the other sees what it became", async () => {
    const ids = await askForSeveral(6)
    const [mine, theirs] = await Promise.all([
      approveAll({ ids, by: chief }),
      approveAll({ ids: ids.toReversed(), by: deputy }),
    ])
    const won = (reply: typeof mine) =>
      reply.json.data.approvals.filter(({ code }: Row) => code === null).map(({ _id }: Row) => _id)
    expect([...won(mine), ...won(theirs)].toSorted()).toEqual(ids.toSorted())
    for (const [code, status] of [...outcomesOf(mine), ...outcomesOf(theirs)]) {
      expect([null, "withdrawal_not_pending"]).toContain(code)
      expect(status).toBe("approved")
    }
    const approvals = await approvalsOf(ids)
    expect(approvals).toHaveLength(6)
    for (const { entity_id, actor_id } of approvals)
      expect(won(actor_id === chief.id ? mine : theirs)).toContain(entity_id)
  })

  test("one that is named twice counts once; none, too many and no list are refused", async () => {
    const [id] = await askForSeveral(1)
    expect(outcomesOf(await approveAll({ ids: [id, id] }))).toEqual([[null, "approved"]])
    expect((await approveAll({ ids: [] })).status).toBe(422)
    expect((await approveAll({ ids: Array(101).fill(id) })).status).toBe(422)
    expect((await approveAll({ ids: id })).status).toBe(400)
  })
})

describe("what helps to decide", () => {
  async function paid(seller: Person, amount: number, pixKey = key): Promise<void> {
    const id = await ask(seller, amount, pixKey)
    const done = { status: "completed", provider: "simulator", approved_at: site.clock.now() } as const
    site.clock.pass(60)
    const processed_at = site.clock.now()
    await site.db
      .updateTable("withdrawals")
      .set({ ...done, processed_at })
      .where("id", "=", id)
      .execute()
  }

  test("a first request: nothing to compare with, and what stays in the balance", async () => {
    const seller = await newSeller()
    const { facts } = await read(await ask(seller, 250))
    expect(facts).toEqual({
      sellerSince: expect.any(String),
      paidCount: 0,
      usualAmount: null,
      destination: "first",
      inProfile: false,
      profileChangedAt: null,
      balanceAfter: 750,
      openRefunds: { count: 0, amount: 0 },
    })
  })

  test("next to what was paid before, and the profile; the list says the same as the request itself", async () => {
    const seller = await newSeller()
    for (const amount of [10, 20, 500]) await paid(seller, amount)
    await site.call("PATCH", "/api/v1/users/updateMe", {
      token: seller.token,
      body: { bankAccount: { pixKey: "outra@loja.example" } },
    })
    const [same, other] = [await ask(seller, 20), await ask(seller, 20, "outra@loja.example")]
    const known = { paidCount: 3, usualAmount: 20, profileChangedAt: site.clock.now().toISOString(), balanceAfter: 430 }
    expect((await read(same)).facts).toMatchObject({ ...known, destination: "same", inProfile: false })
    expect((await read(other)).facts).toMatchObject({ ...known, destination: "changed", inProfile: true })

    const rows = (await site.call("GET", `${url}?search=${seller.email}&order=oldest`, { token: chief.token })).json
      .data.withdrawals
    expect(rows.map((row: { _id: string }) => row._id).slice(3)).toEqual([same, other])
    expect(rows[3].facts).toEqual((await read(same)).facts)
    expect(rows[0].facts).toBeNull()
  })
})

test("oldest first is the newest first backwards, page by page and by key", async () => {
  const list = async (query: string) => {
    const reply = await site.call("GET", `${url}?${query}`, { token: chief.token })
    return reply.json.data.withdrawals.map(({ _id }: Row) => _id)
  }
  const newest = await list("limit=1000")
  expect(await list("limit=1000&order=oldest")).toEqual(newest.toReversed())
  expect(await list(`order=oldest&limit=2&page=2`)).toEqual(newest.toReversed().slice(2, 4))
  expect(await list(`order=oldest&limit=2&after=${newest.at(-2)}`)).toEqual(newest.toReversed().slice(2, 4))
  expect((await site.call("GET", `${url}?order=nada`, { token: chief.token })).status).toBe(400)
})
