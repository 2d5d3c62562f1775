import { afterAll, describe, expect, test } from "vitest"
import { openTestApp } from "../../../test-support/test-app.ts"

const site = await openTestApp()
const token = await site.signUp("ana@loja.example")

afterAll(() => site.close())

const form = { title: "Mentoria", slug: "mentoria", amount: 10, description: "" }
const create = (overrides: object) =>
  site.call("POST", "/api/v1/checkout/pages", { token, body: { ...form, ...overrides } })
const createRaw = (amount: string) =>
  site.call("POST", "/api/v1/checkout/pages", {
    token,
    rawBody: JSON.stringify({ ...form, amount: "AMOUNT" }).replace('"AMOUNT"', amount),
  })
const change = (id: string, body: object) => site.call("PATCH", `/api/v1/checkout/pages/${id}`, { token, body })
const hoursFromNow = (hours: number) => new Date(site.clock.now().getTime() + hours * 3_600_000).toISOString()

async function pageId(overrides: object = {}): Promise<string> {
  return (await create(overrides)).json.data.checkoutPage._id
}

describe("amounts", () => {
  test.each([
    ["10.1", 10.1],
    ["10.10", 10.1],
    ["1e1", 10],
    ["10.00", 10],
    ["9999999.99", 9_999_999.99],
  ])("M06: %s is taken and comes back as %d", async (text, amount) => {
    const reply = await createRaw(text)
    expect([reply.status, reply.json.data?.checkoutPage.amount]).toEqual([201, amount])
  })

  test.each(["10.005", "1.001", "1e-7", "10.999", "1e309", "10000000", "1.0000000001"])(
    "M06: %s is refused with 400 and never rounded",
    async (text) => {
      const reply = await createRaw(text)
      expect([reply.status, reply.json.code]).toEqual([400, "malformed_request"])
    },
  )

  test.each(['"100"', '"1,50"', "true", "[]", "{}", '{"$gt":0}', "[100]"])(
    "M05: %s is refused with 400",
    async (text) => {
      const reply = await createRaw(text)
      expect([reply.status, reply.json.message]).toEqual([400, "O valor deve ser um número."])
    },
  )

  test.each(["null", "0", "-0", "-5"])("M05: %s is refused: it must be more than zero", async (text) => {
    const reply = await createRaw(text)
    expect(reply.status).toBeOneOf([400, 422])
    expect(reply.json.message).toBe("O valor da cobrança deve ser maior que zero")
  })
})

describe("P17: how long a page lives", () => {
  test.each([
    [0, null],
    ["abc", hoursFromNowAtStart(24)],
    [null, hoursFromNowAtStart(24)],
    [168, hoursFromNowAtStart(168)],
    ["48", hoursFromNowAtStart(48)],
  ])("expiresInHours %j ends at %s, by the server's clock and whatever the client says", async (hours, end) => {
    const reply = await create({ pixConfig: { expiresInHours: hours }, expiresAt: "1999-01-01T00:00:00Z" })
    expect([reply.status, reply.json.data?.checkoutPage.expiresAt]).toEqual([201, end])
  })

  test.each([-5, -1, 169, 1e9, "169", "-1"])("expiresInHours %j is refused on create and on edit", async (hours) => {
    const id = await pageId()
    for (const reply of [
      await create({ pixConfig: { expiresInHours: hours } }),
      await change(id, { pixConfig: { expiresInHours: hours } }),
    ]) {
      expect([reply.status, reply.json.message]).toEqual([422, "A expiração deve ficar entre 1 e 168 horas"])
    }
  })

  test.each([0.5, 1.5, 23.999, 1e-7, "1.5", "1,5", " 0.5 "])(
    "expiresInHours %j is refused: hours are whole",
    async (hours) => {
      const id = await pageId()
      for (const reply of [
        await create({ pixConfig: { expiresInHours: hours } }),
        await change(id, { pixConfig: { expiresInHours: hours } }),
      ]) {
        expect([reply.status, reply.json.message]).toEqual([400, "A expiração deve ser um número inteiro de horas"])
      }
    },
  )

  test.each([24, 1, 0, "24"])(
    "on an expired page the hours %j are a new deadline, whatever they were",
    async (hours) => {
      const id = await pageId({ pixConfig: { expiresInHours: 24 } })
      site.clock.pass(24 * 3600 + 1)
      const title = await change(id, { title: "Outro" })
      expect(title.json.data.checkoutPage.status).toBe("expired")
      const { checkoutPage } = (await change(id, { pixConfig: { expiresInHours: hours } })).json.data
      const end = Number(hours) === 0 ? null : hoursFromNow(Number(hours))
      expect(checkoutPage).toMatchObject({ status: "active", expiresAt: end })
      site.clock.pass(-24 * 3600 - 1)
    },
  )

  test("on a page that lives, the same hours change nothing", async () => {
    const id = await pageId({ pixConfig: { expiresInHours: 24 } })
    const end = hoursFromNow(24)
    site.clock.pass(3600)
    const reply = await change(id, { pixConfig: { expiresInHours: 24 } })
    expect(reply.json.data.checkoutPage.expiresAt).toBe(end)
    site.clock.pass(-3600)
  })

  test("an edit that sends only expiresAt changes nothing", async () => {
    const id = await pageId()
    const reply = await change(id, { expiresAt: "+275760-09-13T00:00:00.000Z" })
    expect(reply.json.data.checkoutPage.expiresAt).toBe(hoursFromNow(24))
  })
})

describe("I05: texts", () => {
  test.each([
    [{ title: "💸".repeat(101) }, "O título deve ter no máximo 100 caracteres"],
    [{ title: "   " }, "O título da cobrança é obrigatório"],
    [{ title: undefined }, "O título da cobrança é obrigatório"],
    [{ slug: " " }, "O slug é obrigatório"],
    [{ description: "ã".repeat(501) }, "A descrição deve ter no máximo 500 caracteres"],
  ])("%j is refused", async (overrides, message) => {
    const reply = await create(overrides)
    expect([reply.status, reply.json.message]).toEqual([422, message])
  })

  test("a hundred and five hundred characters are taken, counted as people count and not in bytes", async () => {
    const overrides = { title: "💸".repeat(100), description: "ã".repeat(500) }
    const reply = await create(overrides)
    expect(reply.json.data?.checkoutPage).toMatchObject(overrides)
  })

  test.each([
    ["title", "Mentoria\u200b"],
    ["title", "\u202eairotneM"],
    ["title", "Mento\u0007ria"],
    ["title", "Duas\nlinhas"],
    ["description", "Sábado\u2066"],
    ["description", "Sábado\u0000"],
  ])("a %s of %j is refused on create and on edit: people can't see all of it", async (name, value) => {
    const id = await pageId()
    for (const reply of [await create({ [name]: value }), await change(id, { [name]: value })]) {
      expect([reply.status, reply.json.errors?.[0].path]).toEqual([400, name])
    }
  })

  test.each(["\u2800", "\u00a0", "\u0301"])("a title of %j shows nothing", async (title) => {
    const reply = await create({ title })
    expect([reply.status, reply.json.message]).toEqual([422, "O título da cobrança é obrigatório"])
  })

  test("a description of several lines is taken, and a composed emoji too", async () => {
    const overrides = { title: "👩‍🍳 Marmitas", description: "2 kg\n\tretirada no sábado" }
    expect((await create(overrides)).json.data?.checkoutPage).toMatchObject(overrides)
  })

  test("a slug of marks alone is none", async () => {
    const reply = await create({ title: "!!!", slug: "!!!" })
    expect([reply.status, reply.json.errors[0].path]).toEqual([422, "slug"])
  })
})

test.each([201, 501, 10_000])("a public link of %d characters isn't found, in the page's own words", async (length) => {
  const reply = await site.call("GET", `/api/v1/checkout/pages/${"x".repeat(length)}`)
  expect([reply.status, reply.json.message]).toEqual([404, "Página de cobrança não encontrada ou expirada"])
})

describe("Z07: what a seller can't decide about a page", () => {
  const overrides = {
    status: "active",
    user: "x",
    seller: "x",
    uniqueLink: "Meu-Link",
    _id: "x",
    createdAt: "2000-01-01",
  }

  test("is ignored in a change", async () => {
    const id = await pageId()
    const before = (await site.call("GET", `/api/v1/checkout/pages/${id}`, { token })).json.data.checkoutPage
    const reply = await change(id, { ...overrides, paymentsCount: 9, title: "Outro" })
    expect(reply.json.data.checkoutPage).toEqual({ ...before, title: "Outro", updatedAt: expect.any(String) })
  })

  test("is ignored at creation", async () => {
    const { checkoutPage } = (await create({ ...overrides, status: "completed" })).json.data
    expect(checkoutPage).toMatchObject({ status: "active", createdAt: site.clock.now().toISOString() })
    expect([checkoutPage.uniqueLink, checkoutPage._id]).not.toContain("x")
    expect(checkoutPage.uniqueLink).not.toBe("Meu-Link")
  })

  test("a cancelled page stays cancelled", async () => {
    const id = await pageId()
    await site.call("PATCH", `/api/v1/checkout/pages/${id}/cancel`, { token })
    expect((await change(id, { status: "active" })).status).toBe(409)
    const { json } = await site.call("GET", `/api/v1/checkout/pages/${id}`, { token })
    expect(json.data.checkoutPage.status).toBe("cancelled")
  })
})

/** The table is built before the app's clock exists; that clock starts at this time and stands still. */
function hoursFromNowAtStart(hours: number): string {
  return new Date(Date.UTC(2026, 10, 21, 12) + hours * 3_600_000).toISOString()
}
