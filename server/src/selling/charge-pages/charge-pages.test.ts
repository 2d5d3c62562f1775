import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-pages"
import { type Cents, centsFromReais } from "@tilinta/contract/vocabulary/money"
import { afterAll, describe, expect, test } from "vitest"
import { systemClock } from "#kit/clock"
import type { Protection } from "#kit/request-scope"
import { cancelChargePage, deleteChargePage, updateChargePage } from "#selling/closings/closings"
import { createSeller } from "../../../test-support/sandbox.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import { expireChargePages, getOwnChargePage } from "./change.ts"
import { type ChargePageInput, createChargePage, suggestSlug } from "./create.ts"
import { listChargePages } from "./list-reads.ts"
import { findPublicChargePage } from "./public-page.ts"

const database = await createTestDatabase()
const deps: { db: TestDatabase["db"]; clock: typeof systemClock; protection: Protection } = {
  db: database.db,
  clock: systemClock,
  protection: "relaxed",
}

afterAll(() => database.drop())

let pages = 0

async function create(options: Partial<ChargePageInput> = {}) {
  pages += 1
  return createChargePage(deps, {
    sellerId: options.sellerId ?? (await createSeller(database)),
    title: "Consultoria",
    slug: `consultoria-${String(pages).padStart(3, "a")}`,
    description: "",
    amountCents: centsFromReais(480),
    payerData: { allowAnonymous: true },
    expiresInHours: 24,
    maxPayments: 1,
    idempotencyKey: null,
    ...options,
  })
}

async function publicTitle(link: string): Promise<string | undefined> {
  return (await findPublicChargePage(database.db, systemClock, link))?.page.title
}

describe("an idempotency key", () => {
  test("answers the first answer again, also after edits, and after a deletion", async () => {
    const sellerId = await createSeller(database)
    const options = { sellerId, slug: "marcenaria", idempotencyKey: "key-first-answer" }
    const taken = await create({ slug: "marcenaria" })
    const first = await create(options)
    expect(first.slug).not.toBe(taken.slug)
    const which = { id: first.id, sellerId }
    const changes = { title: "Outra", amountCents: 999 as Cents, slug: "outra-marcenaria", expiresInHours: 48 }
    await updateChargePage(deps, { ...which, changes })
    expect(await create(options)).toEqual(first)
    await deleteChargePage(deps, which)
    expect(await create(options)).toEqual(first)
    expect((await listChargePages(deps, { sellerId, limit: 10, offset: 0 })).results).toBe(0)
    await expect(create({ ...options, title: "Outro pedido" })).rejects.toMatchObject({
      code: "idempotency_key_reused",
    })
  })
})

describe("links and slugs", () => {
  test("a page is found by its unique link and by its slug", async () => {
    const page = await create({ title: "Ingresso" })
    expect(page.uniqueLink).toMatch(/^(?=.*[A-Z])[0-9A-Za-z]{12,}$/)
    expect(await publicTitle(page.uniqueLink)).toBe("Ingresso")
    expect(await publicTitle(page.slug)).toBe("Ingresso")
    expect(await publicTitle("nobody-has-this")).toBeUndefined()
  })

  test("a taken slug gets the next number, also for twenty at once", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => create({ slug: "curso" })))
    const slugs = made.map((page) => page.slug)
    expect(new Set(slugs).size).toBe(20)
    expect(slugs).toContain("curso")
    expect(slugs).toContain("curso-2")
    expect(await suggestSlug(database.db, "Curso")).toEqual({ available: false, suggestion: "curso-21" })
  })

  test.for(["api", "success", "create", "login", "simulador"])("the reserved word %s is never given", async (word) => {
    expect((await create({ slug: word })).slug).toBe(`${word}-2`)
  })

  test("a slug that looks like an _id is never given", async () => {
    const id = "01a1fdf1-64d5-76a6-a383-eebe89042a1e"
    expect((await create({ slug: id })).slug).not.toBe(id)
  })

  test.for(["!!!", " ", "-", "💸"])("nothing is left of the slug %j, so it is refused", async (slug) => {
    await expect(create({ slug })).rejects.toMatchObject({
      code: "validation_failed",
      shownMessage: "O slug é obrigatório",
    })
  })

  test("a former slug keeps leading to its page and goes to nobody else, not even after deletion", async () => {
    const page = await create({ slug: "oficina", title: "Oficina" })
    await updateChargePage(deps, { id: page.id, sellerId: page.sellerId, changes: { slug: "oficina-nova" } })
    expect(await publicTitle("oficina")).toBe("Oficina")
    expect(await publicTitle("oficina-nova")).toBe("Oficina")
    expect((await create({ slug: "oficina" })).slug).toBe("oficina-2")
    await deleteChargePage(deps, { id: page.id, sellerId: page.sellerId })
    expect(await publicTitle("oficina")).toBeUndefined()
    expect((await create({ slug: "oficina-nova" })).slug).toBe("oficina-nova-2")
  })

  test("going back to an own former slug takes it again", async () => {
    const page = await create({ slug: "volta" })
    const which = { id: page.id, sellerId: page.sellerId }
    await updateChargePage(deps, { ...which, changes: { slug: "outra-volta" } })
    expect((await updateChargePage(deps, { ...which, changes: { slug: "volta" } })).slug).toBe("volta")
  })
})

describe("ownership", () => {
  test("the owner reads it, another seller is forbidden, and no id is not found", async () => {
    const page = await create()
    const stranger = await createSeller(database)
    expect(await getOwnChargePage(deps, { id: page.id, sellerId: page.sellerId })).toEqual(page)
    await expect(getOwnChargePage(deps, { id: page.id, sellerId: stranger })).rejects.toMatchObject({
      code: "charge_page_forbidden",
    })
    await expect(getOwnChargePage(deps, { id: "x", sellerId: stranger })).rejects.toMatchObject({
      code: "charge_page_not_found",
    })
  })

  test("another seller can neither edit, cancel nor delete it", async () => {
    const page = await create()
    const which = { id: page.id, sellerId: await createSeller(database) }
    const attempts = [
      () => updateChargePage(deps, { ...which, changes: { title: "Minha agora" } }),
      () => cancelChargePage(deps, which),
      () => deleteChargePage(deps, which),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: "charge_page_forbidden" })
    expect(await publicTitle(page.slug)).toBe("Consultoria")
  })

  test("a page of an inactive seller is closed to the public", async () => {
    const page = await create()
    await database.db.updateTable("users").set({ active: false }).where("id", "=", page.sellerId).execute()
    expect(await publicTitle(page.slug)).toBeUndefined()
  })
})

describe("required customer data", () => {
  test.for([
    [{}, [false, true, true, true, true]],
    [{ allowAnonymous: true, requireCpf: true }, [true, false, false, false, false]],
    [{ requireCustomerData: false }, [true, false, false, false, false]],
    [{ requireCustomerData: false, allowAnonymous: false, requireCpf: false }, [false, true, true, true, false]],
  ] as const)("%j", async ([payerData, [anonymous, name, email, phone, cpf]]) => {
    expect(await create({ payerData })).toMatchObject({
      allowAnonymous: anonymous,
      requireName: name,
      requireEmail: email,
      requirePhone: phone,
      requireCpf: cpf,
    })
  })
})

describe("expiry", () => {
  test("P17: the server's clock decides, and 0 hours is never", async () => {
    const page = await create({ expiresInHours: 6 })
    expect(page.expiresAt?.getTime()).toBe(page.createdAt.getTime() + 6 * 3_600_000)
    expect((await create({ expiresInHours: 0 })).expiresAt).toBeNull()
  })

  test("a page past its expiry reads expired at once, is closed, and is marked by the job", async () => {
    const page = await create({ expiresInHours: 1 })
    const later = { ...deps, psp: { bankTime: () => null }, clock: { now: () => new Date(Date.now() + 3_700_000) } }
    expect((await getOwnChargePage(later, { id: page.id, sellerId: page.sellerId })).status).toBe("expired")
    expect(await findPublicChargePage(database.db, later.clock, page.slug)).toBeNull()
    await expireChargePages(later)
    const { counts } = await listChargePages(deps, { sellerId: page.sellerId, offset: 0, limit: 10 })
    expect([...counts]).toEqual(expect.arrayContaining([["expired", 1]]))
  })

  test("unchanged hours keep the expiry; a new expiry reactivates an expired page", async () => {
    const page = await create({ expiresInHours: 1 })
    const which = { id: page.id, sellerId: page.sellerId }
    const edited = await updateChargePage(deps, { ...which, changes: { title: "Outro", expiresInHours: 1 } })
    expect(edited.expiresAt).toEqual(page.expiresAt)
    const later = { ...deps, psp: { bankTime: () => null }, clock: { now: () => new Date(Date.now() + 3_700_000) } }
    await expireChargePages(later)
    const revived = await updateChargePage(later, { ...which, changes: { expiresInHours: 48 } })
    expect(revived.status).toBe("active")
    const list = (status: ChargePageStatus) =>
      listChargePages(deps, { sellerId: page.sellerId, status, offset: 0, limit: 10 })
    expect([(await list("active")).pages.length, (await list("expired")).pages.length]).toEqual([1, 0])
    const inTwoDays = { now: () => new Date(Date.now() + 3 * 86_400_000) }
    await expireChargePages({ ...later, clock: inTwoDays })
    expect([(await list("active")).pages.length, (await list("expired")).pages.length]).toEqual([0, 1])
  })
})

describe("states", () => {
  test("a cancelled page stays cancelled: no edit, no second cancel", async () => {
    const page = await create()
    const which = { id: page.id, sellerId: page.sellerId }
    expect((await cancelChargePage(deps, which)).status).toBe("cancelled")
    await expect(cancelChargePage(deps, which)).rejects.toMatchObject({ code: "charge_page_not_active" })
    await expect(updateChargePage(deps, { ...which, changes: { title: "x" } })).rejects.toMatchObject({
      code: "charge_page_not_editable",
    })
  })

  test("one of two concurrent cancellations wins and the other gets an error", async () => {
    const page = await create()
    const which = { id: page.id, sellerId: page.sellerId }
    const results = await Promise.allSettled([cancelChargePage(deps, which), cancelChargePage(deps, which)])
    expect(results.map((result) => result.status).toSorted()).toEqual(["fulfilled", "rejected"])
  })
})

describe("lists", () => {
  test("newest first, by pages, with exact totals whatever the filter", async () => {
    const sellerId = await createSeller(database)
    for (let number = 1; number <= 12; number++) await create({ sellerId, title: `Aula ${number} 100%` })
    const first = await listChargePages(deps, { sellerId, offset: 0, limit: 10 })
    const second = await listChargePages(deps, { sellerId, offset: 10, limit: 10 })
    expect(first.pages.map((page) => page.title)[0]).toBe("Aula 12 100%")
    expect([first.pages.length, second.pages.length, first.results]).toEqual([10, 2, 12])
    await cancelChargePage(deps, { id: second.pages[0]?.id ?? "", sellerId })
    await deleteChargePage(deps, { id: second.pages[1]?.id ?? "", sellerId })
    const active = await listChargePages(deps, { sellerId, status: "active", offset: 0, limit: 10 })
    const cancelled = await listChargePages(deps, { sellerId, status: "cancelled", offset: 0, limit: 10 })
    expect([active.results, cancelled.results, cancelled.pages.length]).toEqual([10, 1, 1])
    expect(active.pages).toEqual(first.pages)
    const after = first.pages[6]?.id
    const rest = await listChargePages(deps, { sellerId, status: "active", after, offset: 0, limit: 10 })
    expect(rest.pages).toEqual(first.pages.slice(7))
  })

  test("a search finds its words literally", async () => {
    const sellerId = await createSeller(database)
    await create({ sellerId, title: "Desconto de 50%" })
    await create({ sellerId, title: "Desconto de 500" })
    const found = await listChargePages(deps, { sellerId, search: "50%", offset: 0, limit: 10 })
    expect(found.pages.map((page) => page.title)).toEqual(["Desconto de 50%"])
    expect(found.results).toBe(1)
  })
})

test("a search asks for neither accents nor case", async () => {
  const sellerId = await createSeller(database)
  await create({ sellerId, title: "Curso de Culinária", description: "AÇÃO" })
  for (const search of ["culinaria", "CULINÁRIA", "acao", "de cul"]) {
    const found = await listChargePages(deps, { sellerId, search, offset: 0, limit: 10 })
    expect(found.results).toBe(1)
  }
})

describe("idempotency", () => {
  test("the same key makes one page, also ten times at once; other input is refused", async () => {
    const sellerId = await createSeller(database)
    const options = { sellerId, slug: "uma-so", idempotencyKey: "form-1" }
    const made = await Promise.all(Array.from({ length: 10 }, () => create(options)))
    expect(new Set(made.map((page) => page.id)).size).toBe(1)
    await expect(create({ ...options, amountCents: 1 as Cents })).rejects.toMatchObject({
      code: "idempotency_key_reused",
    })
  })

  test("another seller's same key is another key", async () => {
    const [one, two] = await Promise.all([create({ idempotencyKey: "k" }), create({ idempotencyKey: "k" })])
    expect(one.id).not.toBe(two.id)
  })
})
