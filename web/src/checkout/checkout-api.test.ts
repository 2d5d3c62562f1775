import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { noValues, testPage, testPix } from "../../test-support/checkout-page.ts"
import { requestPix } from "./checkout-api.ts"
import { requested, type Step, startCheckout } from "./checkout-state.ts"
import { payablePage } from "./payable-page.ts"

interface Request {
  headers?: Record<string, string>
  body?: string
}

interface Sent {
  key: string
  body: unknown
}

let sent: Sent[]
let answers: (() => Response | Promise<Response>)[]
let stored: Map<string, string>
const payment = { status: "success", data: testPix }
const start = startCheckout(payablePage(testPage), noValues)

beforeEach(() => {
  sent = []
  answers = []
  stored = new Map()
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  vi.stubGlobal("fetch", async (_url: string, { headers = {}, body = "null" }: Request = {}) => {
    sent.push({ key: headers["Idempotency-Key"] ?? "", body: JSON.parse(body) })
    return answers.shift()?.() ?? Response.error()
  })
  vi.spyOn(console, "warn").mockImplementation(() => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const reply = (status: number, body: unknown) => () => Response.json(body, { status })
const silence = () => Promise.reject(new TypeError("network"))
const ask = async (customer: typeof noValues | null = null) =>
  (await requestPix({ id: "page-1", isAnonymous: customer === null }, customer ?? {}, () => undefined))(start)

test("an anonymous payer sends no data, another only digits and trimmed texts", async () => {
  answers = [reply(201, payment), reply(201, payment)]
  await ask()
  await ask({ name: " Ana ", email: " ana@exemplo.com", cpf: "529.982.247-25", phone: "(11) 98765-4321" })
  expect(sent[0]?.body).toEqual({ checkoutPageId: "page-1", customerInfo: null })
  expect(sent[1]?.body).toEqual({
    checkoutPageId: "page-1",
    customerInfo: { name: "Ana", email: "ana@exemplo.com", cpf: "52998224725", phone: "11987654321" },
  })
})

test("an amount is sent as it stands in the field, masked or not", async () => {
  const page = { id: "page-1", isAnonymous: true, choice: { hint: "", suggestions: [] } }
  const typed = ["1.234,56", "12", "12,5", "12.50", "1.234", ""]
  answers = typed.map(() => reply(201, payment))
  for (const amount of typed) await requestPix(page, { amount }, () => undefined)
  expect(sent.map(({ body }) => (body as { amount: number }).amount)).toEqual([1234.56, 12, 12.5, 12.5, 1234, 0])
})

test("after silence or trouble the same key asks again, after the Pix another one", async () => {
  answers = [silence, reply(503, { message: "" }), reply(409, {}), reply(201, payment), reply(201, payment)]
  for (let i = 0; i < 5; i++) await ask()
  const keys = sent.map(({ key }) => key)
  expect(new Set(keys.slice(0, 4)).size).toBe(1)
  expect(keys[4]).not.toBe(keys[0])
  expect(keys[0]).toMatch(/^[\d-]{20,}$/)
})

test("a Pix that is asked for too often is asked for again by itself, when the server says", async () => {
  vi.useFakeTimers()
  const tooMany = () => new Response("{}", { status: 429, headers: { "Retry-After": "3" } })
  const overloaded = () => new Response("{}", { status: 503, headers: { "Retry-After": "1" } })
  answers = [tooMany, () => new Response("<html>", { status: 429 }), overloaded, reply(201, payment)]
  const steps: Step[] = []
  const asking = requestPix({ id: "page-1", isAnonymous: true }, {}, (step) => steps.push(step))
  await vi.advanceTimersByTimeAsync(2_900)
  expect(sent).toHaveLength(1)
  expect(steps.reduce((state, step) => step(state), requested()(start))).toMatchObject({
    isBusy: true,
    spoken: "Aguarde...",
  })
  await vi.advanceTimersByTimeAsync(1_200)
  expect(sent).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(13_000)
  expect((await asking)(start)).toMatchObject({ screen: "awaiting", isBusy: false })
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  vi.useRealTimers()
})

test("a key that was used with other data is replaced without bothering the payer", async () => {
  answers = [reply(422, { code: "idempotency_key_reused", message: "Esta chave…" }), reply(201, payment)]
  expect((await ask()).screen).toBe("awaiting")
  expect(sent[0]?.key).not.toBe(sent[1]?.key)
})

test("the server's message is shown, and the fallback when there is none", async () => {
  answers = [reply(503, { message: "O banco…" }), reply(500, {}), silence, () => new Response("<html>")]
  expect((await ask()).failure).toBe("O banco…")
  for (let i = 0; i < 3; i++) expect((await ask()).failure).toBe("Erro ao processar pagamento PIX")
})

test("a refused field gets the server's words", async () => {
  const errors = [{ path: "customerInfo.cpf", message: "CPF inválido" }]
  answers = [reply(422, { message: "Confira os dados informados.", errors })]
  expect(await ask()).toMatchObject({ problem: { field: "cpf", message: "CPF inválido" }, failure: null })
})

test("a charge that was paid meanwhile says so", async () => {
  answers = [reply(409, { code: "charge_page_already_paid", message: "Esta cobrança já foi paga." })]
  expect((await ask()).screen).toBe("paid-before")
})
