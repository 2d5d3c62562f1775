import type { Browser, BrowserContext, Page, Route } from "@playwright/test"
import type { CheckoutProps } from "@tilinta/contract/pages/checkout-props"
import { testPix } from "../../web/test-support/checkout-page.ts"

export type RenderCheckout = (props: CheckoutProps, nonce: string) => string

/** The server's next answers, and all that the page asked of it. */
export interface Script {
  props: CheckoutProps
  creation: { status: number; json: unknown } | null
  status: string
  page: { status: number; json: unknown }
  asked: string[]
}

export interface Payer {
  page: Page
  script: Script
  close: () => Promise<void>
}

const address = "http://localhost/checkout/Xa8dK2lmNQpo"
/** One pixel: an image that every browser can show. */
const pixelPng = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const { transactionId, pixCode, amount, expiresAt, serverTime, receiverName } = testPix
export const openPix = {
  payerToken: "mK0xTj9vQ2cR7hYd3sWfZA",
  ...{ transactionId, pixCode, amount, expiresAt, serverTime, receiverName },
  status: "pendente" as const,
  pixQrCodeBase64: pixelPng,
}
const created = { status: 201, json: { status: "success", data: openPix } }

/** A phone at a server that answers as the script says; its clock moves only when a test moves it. */
export async function openCheckout(browser: Browser, render: RenderCheckout, props: CheckoutProps): Promise<Payer> {
  const context = await browser.newContext({
    viewport: { width: 375, height: 812 },
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    permissions: ["clipboard-read", "clipboard-write"],
    reducedMotion: "reduce",
  })
  const page = await context.newPage()
  const active = { status: 200, json: { data: { checkoutPage: { status: "active" } } } }
  const script: Script = { props, creation: created, status: "pendente", page: active, asked: [] }
  watch(context, script)
  await page.clock.install({ time: Date.parse(serverTime) - 10_000 })
  await page.clock.pauseAt(serverTime)
  await context.route("**/*", (route) => answer(route, script, render))
  await page.goto(address)
  return { page, script, close: () => context.close() }
}

/** A complaint of the browser or of React counts as something that the page did. */
function watch(context: BrowserContext, { asked }: Script): void {
  context.on("weberror", (error) => asked.push(`uncaught: ${error.error().message}`))
  context.on("console", (message) => {
    const isAnswer = message.text().startsWith("Failed to load resource")
    if (message.type() === "error" && !isAnswer) asked.push(`complaint: ${message.text()}`)
  })
}

async function answer(route: Route, script: Script, render: RenderCheckout): Promise<void> {
  const request = route.request()
  const path = new URL(request.url()).pathname
  if (path.startsWith("/checkout/")) {
    return route.fulfill({ contentType: "text/html; charset=utf-8", body: render(script.props, "nonce") })
  }
  if (!path.startsWith("/api/")) return route.fulfill({ status: 404 })
  if (path.endsWith("/stream")) return route.fulfill({ status: 204 })
  script.asked.push(`${request.method()} ${path} ${request.postData() ?? ""}`)
  if (path.endsWith("/process-modern-pix-payment")) {
    return script.creation === null ? undefined : route.fulfill(script.creation)
  }
  if (path.includes("/payment-status/")) return route.fulfill({ json: { data: { status: script.status } } })
  if (path.includes("/payment-proofs/")) return route.fulfill({ json: { data: { proof: { refundedAmount: 10.5 } } } })
  return route.fulfill(script.page)
}

/** The document as a reader meets it: elements, texts, fields' values, the focus and the title. */
export function drawnOn(page: Page): Promise<string> {
  return page.evaluate(outlineOf)
}

/**
 * Left out are the order of attributes, how an empty one is written, and two attributes of fields: React keeps `value`
 * equal to the field's property, Preact sets the property alone; React gives the focus where Preact writes `autofocus`.
 * Sizes are rounded, because the page's clock moves some milliseconds further while an answer is awaited.
 */
function outlineOf(): string {
  const lines = [`title ${document.title}`, `focus ${pathOf(document.activeElement)}`]
  function pathOf(element: Element | null): string {
    return element === null ? "nothing" : `${element.localName}#${element.id}.${element.className}`
  }
  function styleOf(value: string): string {
    return value.replace(/[\s;]/g, "").replace(/[\d.]+%/g, (size) => `${Math.round(Number.parseFloat(size))}%`)
  }
  function attributesOf(element: Element): string {
    const kept = [...element.attributes].filter(({ name }) => name !== "value" && name !== "autofocus")
    return kept
      .map(({ name, value }) => ` ${name}="${name === "style" ? styleOf(value) : value}"`)
      .toSorted()
      .join("")
  }
  function write(node: Node, depth: string): void {
    if (node instanceof Comment) lines.push(`${depth}<!--${node.data}-->`)
    if (node instanceof Text && node.data !== "") lines.push(`${depth}${node.data}`)
    if (!(node instanceof Element) || node.localName === "script" || node.localName === "style") return
    const value = node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement ? ` = ${node.value}` : ""
    lines.push(`${depth}<${node.localName}${attributesOf(node)}>${value}`)
    if (node instanceof HTMLTextAreaElement) return
    for (const child of node.childNodes) write(child, `${depth}  `)
  }
  write(document.body, "")
  return lines.join("\n")
}
