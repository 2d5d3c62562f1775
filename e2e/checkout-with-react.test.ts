import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Browser, expect, type Page, test } from "@playwright/test"
import type { CheckoutProps } from "@tilinta/contract/pages/checkout-props"
import { distFolder } from "../web/build-stamp.ts"
import { buildWithReact } from "../web/test-support/build-with-react.ts"
import { testPage, testProps, testShop } from "../web/test-support/checkout-page.ts"
import { drawnOn, openCheckout, openPix, type Payer, type RenderCheckout } from "./support/scripted-checkout.ts"

/** The checkout is written for React and runs on Preact: every screen and every step must be the same on both. */
test.describe.configure({ mode: "default" })

let folder: string
let onReact: RenderCheckout
let onPreact: RenderCheckout

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "checkout-react-"))
  await buildWithReact(folder)
  await writeFile(join(folder, "package.json"), '{"type":"module"}')
  onReact = await loadRenderer(folder)
  onPreact = await loadRenderer(join(distFolder, "checkout"))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

async function loadRenderer(builtIn: string): Promise<RenderCheckout> {
  return (await import(pathToFileURL(join(builtIn, "render.js")).href)).renderCheckout
}

const anonymous = testProps({ pixConfig: { allowAnonymous: true, expiresInHours: 24 } })
const twoFields = testProps({
  customerInfo: { requireName: true, requireEmail: false, requirePhone: false, requireCpf: true },
})
const payment: NonNullable<CheckoutProps["payment"]> = {
  pix: openPix,
  title: 'Mentoria <b> & "Vendas"',
  seller: "Ana Souza Mentorias",
  sellerDocument: null,
  confirmedAt: "2026-11-21T17:20:00.000Z",
  returned: 10.5,
  returnUrl: null,
  isLeaving: false,
  pagePath: "/checkout/Xa8dK2lmNQpo",
}
const withPix = (status: typeof payment.pix.status, page: CheckoutProps["page"] = testPage): CheckoutProps => ({
  ...testProps(page),
  page,
  payment: { ...payment, pix: { ...openPix, status } },
})
/** Without its logo, of which React's renderer adds a preload. */
const { logoUrl: _, ...shop } = testShop
const sentBack: CheckoutProps = {
  ...twoFields,
  form: {
    key: "k",
    values: { name: 'Ana "<b>', cpf: "111" },
    problem: { field: "email", message: "E-mail é obrigatório" },
    failure: "O banco não respondeu.",
  },
}

const served: Record<string, CheckoutProps> = {
  form: testProps(),
  "form of two fields": twoFields,
  "form that came back": sentBack,
  anonymous,
  "without description and end": testProps({ description: "", expiresAt: null, amount: 1234567.89 }),
  "paid before": testProps({ status: "completed" }),
  "form of a shop": testProps({ shop }),
  "paid before to a shop": testProps({ shop, status: "completed" }),
  "closed page of a shop": { ...testProps(null), closedShop: shop },
  "not found": testProps(null),
  "not found, no support": { ...testProps(null), supportEmail: "" },
  "open Pix": withPix("pendente"),
  paid: withPix("pago"),
  "paid, page closed": withPix("pago", null),
  expired: withPix("expirado"),
  "expired, page closed": withPix("expirado", null),
  cancelled: withPix("cancelado"),
}

async function drawAll(browser: Browser, render: RenderCheckout): Promise<Record<string, string>> {
  const withoutScript: RenderCheckout = (...page) => render(...page).replace(/<script[\s\S]*?<\/script>/g, "")
  const { page, script, close } = await openCheckout(browser, withoutScript, testProps())
  const drawn: Record<string, string> = {}
  for (const [screen, props] of Object.entries(served)) {
    script.props = props
    await page.reload()
    await focusGiven(page)
    drawn[screen] = await drawnOn(page)
  }
  await close()
  return drawn
}

/** The browser obeys `autofocus` with its next frame. */
async function focusGiven(page: Page): Promise<void> {
  const isGiven = () => document.querySelector("[autofocus]") === null || document.activeElement !== document.body
  await page.waitForFunction(isGiven, undefined, { polling: 20 })
}

test("every screen that the server draws is the same HTML", { tag: ["@phone", "@soak"] }, async ({ browser }) => {
  const [preact, react] = await Promise.all([drawAll(browser, onPreact), drawAll(browser, onReact)])
  expect(react).toEqual(preact)
  expect(new Set(Object.values(preact)).size).toBe(Object.keys(served).length)
})

type Steps = Record<string, (payer: Payer) => Promise<unknown>>

/** Returns the page after each step, and at the end all requests and complaints. */
async function record(browser: Browser, render: RenderCheckout, props: CheckoutProps, steps: Steps): Promise<string[]> {
  const payer = await openCheckout(browser, render, props)
  const seen = [`at first\n${await drawnOn(payer.page)}`]
  for (const [name, act] of Object.entries(steps)) {
    await act(payer)
    await payer.page.clock.runFor(50)
    seen.push(`${name}\n${await drawnOn(payer.page)}`)
  }
  seen.push(payer.script.asked.join("\n"))
  await payer.close()
  return seen
}

async function expectSame(browser: Browser, props: CheckoutProps, steps: Steps): Promise<void> {
  const [preact, react] = await Promise.all([
    record(browser, onPreact, props, steps),
    record(browser, onReact, props, steps),
  ])
  expect(react).toEqual(preact)
  expect(preact.at(-1)).not.toMatch(/uncaught|complaint/)
}

const seconds =
  (count: number) =>
  ({ page }: Payer) =>
    page.clock.runFor(count * 1000)
const submit = ({ page }: Payer) => page.locator("[type=submit]").click()
const press = (page: Page, name: string) => page.getByRole("button", { name }).click()
/** The server draws endings, and their links. */
const again = (page: Page, name: string) => page.getByRole("link", { name }).click()
const until = (page: Page, text: string) => page.getByText(text).first().waitFor()

/**
 * Network answers come in real time, drawing waits for the page's own clock. A countdown shows whole seconds since the code
 * came, once a second since the page woke: a slow machine wakes and answers some steps later, so steps end far from a change.
 */
async function untilDrawn(page: Page, text: string): Promise<void> {
  const now = () => page.evaluate(() => Date.now())
  const end = (await now()) + 2200
  await expect(async () => {
    await page.clock.runFor(20)
    await expect(page.getByText(text).first()).toBeVisible({ timeout: 50 })
  }).toPass({ timeout: 60_000 })
  await page.clock.runFor(Math.max(0, end - (await now())))
}

test("typing, masks, refused fields and failures are the same", { tag: ["@phone", "@soak"] }, async ({ browser }) => {
  const refusal = { message: "Confira.", errors: [{ path: "customerInfo.email", message: "E-mail inválido" }] }
  await expectSame(browser, twoFields, {
    "typed before the page wakes": ({ page }) => page.fill("#name", " Caio "),
    "the page wakes": seconds(1),
    "a field is missing": submit,
    "typing takes the message away": ({ page }) => page.locator("#cpf").pressSequentially("5299822472"),
    "a digit in the middle keeps the caret": async ({ page }) => {
      for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowLeft")
      await page.keyboard.type("1")
      await page.keyboard.press("Backspace")
      await page.keyboard.type("3")
    },
    "another field is revealed": submit,
    "a pasted telephone loses its prefix": async ({ page }) => {
      await page.fill("#email", "caio@exemplo.com")
      await page.focus("#phone")
      await page.keyboard.insertText("+55 11 98765-4321")
    },
    "a wrong CPF": submit,
    "the server refuses a field": async (payer) => {
      payer.script.creation = { status: 422, json: refusal }
      await payer.page.fill("#cpf", "52998224725")
      await submit(payer)
      await untilDrawn(payer.page, "E-mail inválido")
    },
    "the bank doesn't answer": async (payer) => {
      payer.script.creation = { status: 503, json: { message: "O banco não respondeu." } }
      await submit(payer)
      await untilDrawn(payer.page, "O banco não respondeu.")
    },
    "while the bank is asked": async (payer) => {
      payer.script.creation = null
      await submit(payer)
    },
    "typing meanwhile": ({ page }) => page.fill("#name", "Caio Prado"),
  })
})

test("the code, its countdown, copying and its end are the same", { tag: ["@phone", "@soak"] }, async ({ browser }) => {
  await expectSame(browser, anonymous, {
    "the page wakes": seconds(0.45),
    "the code is shown": async (payer) => {
      await submit(payer)
      await untilDrawn(payer.page, "Copiar Código PIX")
    },
    "a second later": seconds(1),
    "five minutes are left": seconds(597),
    copied: ({ page }) => press(page, "Copiar Código PIX").then(() => until(page, "Copiado!")),
    "the button is itself again": seconds(3),
    "copying is refused": async ({ page }) => {
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error("no"))
        document.execCommand = () => false
      })
      await press(page, "Copiar Código PIX")
      await untilDrawn(page, "Não foi possível copiar.")
    },
    "the image can't be shown": ({ page }) => page.locator("img").dispatchEvent("error"),
    "the time is over": seconds(301),
    expired: async ({ page, script }) => {
      script.status = "expirado"
      await page.clock.runFor(3000)
      await untilDrawn(page, "Gerar novo código")
    },
    "a new code": async ({ page, script }) => {
      script.status = "pendente"
      await again(page, "Gerar novo código")
      await untilDrawn(page, "Copiar Código PIX")
    },
    "cancelled with its page": async ({ page, script }) => {
      Object.assign(script, { status: "cancelado", isClosed: true })
      await page.clock.runFor(3000)
      await untilDrawn(page, "Esta cobrança não está mais disponível.")
    },
  })
})

test("the confirmation, a reload and another payment are the same", { tag: ["@phone", "@soak"] }, async ({
  browser,
}) => {
  await expectSame(browser, anonymous, {
    "the page wakes": seconds(0.45),
    "the code is shown": async (payer) => {
      await submit(payer)
      await untilDrawn(payer.page, "Copiar Código PIX")
    },
    "the code after a reload": async ({ page }) => {
      await page.reload()
      await untilDrawn(page, "Copiar Código PIX")
    },
    paid: async ({ page, script }) => {
      script.status = "pago"
      await page.clock.runFor(3000)
      await untilDrawn(page, "Ver comprovante")
    },
    "the receipt after a reload, with what went back": async ({ page }) => {
      await page.reload()
      await untilDrawn(page, "Estornado")
    },
    "another payment": ({ page }) => again(page, "Fazer outro pagamento"),
    "somebody else was faster": async (payer) => {
      payer.script.props = testProps({ status: "completed" })
      payer.script.creation = { status: 409, json: { code: "charge_page_already_paid", message: "x" } }
      await submit(payer)
      await until(payer.page, "Cobrança já paga")
    },
  })
})

test("pages that come with their end, or with a Pix, wake the same", { tag: ["@phone", "@soak"] }, async ({
  browser,
}) => {
  await expectSame(browser, testProps({ status: "completed" }), { "the page wakes": seconds(1) })
  await expectSame(browser, sentBack, { "the page wakes": seconds(1), "sent again": submit })
  await expectSame(browser, withPix("pendente"), {
    "the page wakes": seconds(1),
    cancelled: async ({ page, script }) => {
      script.status = "cancelado"
      await page.clock.runFor(3000)
      await untilDrawn(page, "Gerar novo código")
    },
    "the form again": async ({ page }) => again(page, "Gerar novo código"),
  })
})
