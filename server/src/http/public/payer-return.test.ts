import { createHmac } from "node:crypto"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { bookPayments } from "#money/payments/book"
import { openEdgeWorld } from "../../../test-support/edge-world.ts"
import { receiptOf } from "../../../test-support/sandbox.ts"

const logged: string[] = []

const world = await openEdgeWorld({ log: createLog("trace", { write: (line) => void logged.push(line) }) })
const seller = await world.user()

afterAll(() => world.close())

const call = (method: "GET" | "POST" | "PUT" | "PATCH", url: string, body?: object) =>
  world.call(method, url, { token: seller.token, ...(body && { body }) })
const allow = async (...origins: string[]): Promise<string> =>
  (await call("PUT", "/api/v1/users/me/return-origins", { origins })).json.data.signingKey

/** The data that the page is rendered from. */
async function propsOf(url: string) {
  const { text } = await world.call("GET", url)
  return JSON.parse(text.replace(/^<script[^>]*>|<\/script>$/g, ""))
}

async function pay(chargeId: string): Promise<void> {
  const row = await world.db.selectFrom("charges").select("txid").where("id", "=", chargeId).executeTakeFirstOrThrow()
  await bookPayments(world, [receiptOf(row.txid, 5_000)])
}

const proofOf = async (id: string) => (await world.call("GET", `/api/v1/checkout/payment-proofs/${id}`)).json.data.proof
const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, "")

describe("the payer's way back", () => {
  let key: string
  let made: { _id: string; checkoutUrl: string }

  beforeAll(async () => {
    key = await allow("https://loja.example")
    const body = { amount: 50, externalReference: "p. 42/ç", returnUrl: "https://loja.example/volta?a=1&status=x#fim" }
    made = (await call("POST", "/api/v1/charges", body)).json.data.charge
  })

  test("doesn't exist before the payment, in no reply and no page", async () => {
    expect((await proofOf(made._id)).returnUrl).toBeNull()
    const props = await propsOf(pathOf(made.checkoutUrl))
    expect(props).toMatchObject({ isReturning: true, payment: { returnUrl: null } })
    expect(JSON.stringify(props)).not.toContain("loja.example/volta")
  })

  test("is signed over time, transaction, status and reference once it is paid", async () => {
    await pay(made._id)
    const back = new URL((await proofOf(made._id)).returnUrl)
    const sent = Object.fromEntries(back.searchParams)
    const t = String(Math.floor(world.clock.now().getTime() / 1000))
    const signature = createHmac("sha256", key).update(`${t}.${made._id}.pago.p. 42/ç`).digest("hex")
    expect(sent).toEqual({ a: "1", reference: "p. 42/ç", transactionId: made._id, status: "pago", t, signature })
    expect([back.origin, back.pathname, back.hash]).toEqual(["https://loja.example", "/volta", "#fim"])
  })

  test("stands on the page of the payment without script, and goes by itself only when it was just paid", async () => {
    const { payment } = await propsOf(pathOf(made.checkoutUrl))
    expect(payment).toMatchObject({
      isLeaving: false,
      returnUrl: expect.stringContaining("https://loja.example/volta?"),
    })
    const leaving = await propsOf(`${pathOf(made.checkoutUrl)}&volta`)
    expect(leaving.payment.isLeaving).toBe(true)
  })

  test("is signed with the new key after the key was rotated", async () => {
    const before = new URL((await proofOf(made._id)).returnUrl).searchParams.get("signature")
    await call("POST", "/api/v1/users/me/return-origins/rotate", {})
    expect(new URL((await proofOf(made._id)).returnUrl).searchParams.get("signature")).not.toBe(before)
  })

  test("ends with the origin, and comes again with it", async () => {
    await allow("https://outra.example", "https://loja.example:8443", "https://www.loja.example")
    expect((await proofOf(made._id)).returnUrl).toBeNull()
    expect((await propsOf(pathOf(made.checkoutUrl))).payment.returnUrl).toBeNull()
    await allow("https://loja.example")
    expect((await proofOf(made._id)).returnUrl).toContain("https://loja.example/volta")
  })

  test("ends with a refund of everything, as nothing is paid any more", async () => {
    const paid = { status: "refunded", refunded_cents: 5_000, refunded_fee_cents: 750 } as never
    await world.db.updateTable("charges").set(paid).where("id", "=", made._id).execute()
    expect((await proofOf(made._id)).returnUrl).toBeNull()
  })

  test("a page's address must be of an allowed origin when it is given, and may stay when it is saved again", async () => {
    const body = { title: "Curso", slug: "curso", amount: 50, returnUrl: "https://loja.example/x" }
    const page = (await call("POST", "/api/v1/checkout/pages", body)).json.data.checkoutPage
    expect(page.returnUrl).toBe("https://loja.example/x")
    await allow()
    const save = (returnUrl: string | null) => call("PATCH", `/api/v1/checkout/pages/${page._id}`, { returnUrl })
    expect((await save("https://loja.example/x")).status).toBe(200)
    for (const returnUrl of [
      "https://loja.example/y",
      "https://loja.example.evil.example/x",
      "http://loja.example/x",
    ]) {
      expect(await save(returnUrl)).toMatchObject({ status: 422, json: { errors: [{ path: "returnUrl" }] } })
    }
    expect((await save(null)).json.data.checkoutPage.returnUrl).toBeNull()
  })

  test.each([
    ["https://loja.example\\@evil.example/", "https://loja.example/@evil.example/"],
    ["HTTPS://LOJA.example:443/a/../volta", "https://loja.example/volta"],
    ["https://loja.example/ação", "https://loja.example/a%C3%A7%C3%A3o"],
    ["https://loja.example", "https://loja.example/"],
  ])("an address given as %s is stored as browsers read it", async (returnUrl, stored) => {
    await allow("https://loja.example")
    const body = { title: "Curso", slug: "curso", amount: 50, returnUrl }
    const page = (await call("POST", "/api/v1/checkout/pages", body)).json.data.checkoutPage
    const made = (await call("POST", "/api/v1/charges", { amount: 50, returnUrl })).json.data.charge
    const saved = await call("PATCH", `/api/v1/checkout/pages/${page._id}`, { returnUrl })
    expect([page, made, saved.json.data.checkoutPage].map((one) => one.returnUrl)).toEqual([stored, stored, stored])
  })

  test("an address that grows too long by its encoding is refused", async () => {
    await allow("https://loja.example")
    const body = { amount: 50, returnUrl: `https://loja.example/${"ç".repeat(1_000)}` }
    expect(await call("POST", "/api/v1/charges", body)).toMatchObject({
      status: 422,
      json: { errors: [{ path: "returnUrl" }] },
    })
  })
})

describe("the payer's fields, filled in by the address", () => {
  const canary = {
    name: "Canário Amarelo",
    email: "canario@cliente.example",
    cpf: "390.533.447-05",
    phone: "21988887777",
  }
  const query = new URLSearchParams(canary).toString()

  async function valuesOf(page: object, search = query) {
    const body = { title: "Curso", slug: "curso", amount: 50, ...page }
    const { uniqueLink } = (await call("POST", "/api/v1/checkout/pages", body)).json.data.checkoutPage
    return (await propsOf(`/checkout/${uniqueLink}?${search}`)).form.values
  }

  test("are those that the page asks for, and no others", async () => {
    expect(await valuesOf({})).toEqual(canary)
    const some = { requireName: false, requireEmail: true, requirePhone: false, requireCpf: false }
    expect(await valuesOf({ customerInfo: some })).toEqual({ email: canary.email })
    expect(await valuesOf({ pixConfig: { allowAnonymous: true } })).toEqual({})
  })

  test("ask a company for its CNPJ, also an empty one", async () => {
    const { cpf, ...others } = canary
    const named = new URLSearchParams(others).toString()
    expect(await valuesOf({}, `${named}&cnpj=12.abc.345/01de-35`)).toEqual({ ...others, cnpj: "12.abc.345/01de-35" })
    expect(await valuesOf({}, "cnpj=")).toEqual({ name: "", email: "", cnpj: "", phone: "" })
    expect(await valuesOf({}, `cpf=${cpf}&cnpj=`)).toEqual({ name: "", email: "", cpf, phone: "" })
    const some = { requireName: true, requireEmail: false, requirePhone: false, requireCpf: false }
    expect(await valuesOf({ customerInfo: some }, "cnpj=")).toEqual({ name: "" })
  })

  test.each([
    ["name=%00x", "name"],
    ["name=a%0Ab", "name"],
    ["name=%E2%80%AEx", "name"],
    [`name=${"x".repeat(201)}`, "name"],
    ["name=a&name=b", "name"],
    ["phone=abc", "phone"],
    ["phone=%3Cscript%3E", "phone"],
  ])("hold nothing that nobody could have typed: %s", async (search, field) => {
    expect((await valuesOf({}, search))[field]).toBe("")
  })

  test("are stored in no cache and written in no log", async () => {
    const body = { title: "Curso", slug: "curso", amount: 50 }
    const { uniqueLink } = (await call("POST", "/api/v1/checkout/pages", body)).json.data.checkoutPage
    const reply = await world.call("GET", `/checkout/${uniqueLink}?${query}`)
    expect(reply.headers["cache-control"]).toBe("no-store")
    expect(reply.headers["referrer-policy"]).toBe("no-referrer")
    await world.call("GET", `/checkout/nada-aqui?${query}`)
    await world.call("POST", `/checkout/${uniqueLink}?${query}`, { body: {} })
    expect(logged.join("\n")).not.toMatch(/Canário|canario|390\.?533|21988887777/)
  })
})
