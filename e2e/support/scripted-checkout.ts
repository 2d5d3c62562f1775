import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Browser, BrowserContext, Page, Route } from "@playwright/test"
import type { CheckoutProps } from "@tilinta/contract/pages/checkout-props"
import { distFolder } from "../../web/build-stamp.ts"
import { testPix, testProps } from "../../web/test-support/checkout-page.ts"

export type RenderCheckout = (props: CheckoutProps, nonce: string) => string

/** The server's next answers, and all that the page asked of it. */
export interface Script {
  props: CheckoutProps
  creation: { status: number; json: unknown } | null
  status: string
  /** Whether the charge page has ended meanwhile. */
  isClosed: boolean
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
  const script: Script = { props, creation: created, status: "pendente", isClosed: false, asked: [] }
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
  const { pathname: path, searchParams } = new URL(request.url())
  if (path.startsWith("/checkout/")) {
    const props = searchParams.has("pix") ? endedProps(script) : script.props
    return route.fulfill({ contentType: "text/html; charset=utf-8", body: render(props, "nonce") })
  }
  if (!path.startsWith("/api/")) return route.fulfill({ status: 404 })
  if (path.endsWith("/stream")) return route.fulfill({ status: 204 })
  script.asked.push(`${request.method()} ${path} ${request.postData() ?? ""}`)
  if (path.endsWith("/process-modern-pix-payment")) {
    return script.creation === null ? undefined : route.fulfill(script.creation)
  }
  return route.fulfill({ json: { data: { status: script.status } } })
}

/** Lets the code that is asked for next expire at once: for the poll, and on the server's page of the Pix. */
export async function letExpire(page: Page): Promise<void> {
  const built = pathToFileURL(join(distFolder, "checkout", "render.js")).href
  const { renderCheckout } = (await import(built)) as { renderCheckout: RenderCheckout }
  const body = renderCheckout(endedProps({ props: testProps(), status: "expirado", isClosed: false }), "nonce")
  await page.route(/payment-status\/[^/]+$/, (route) => route.fulfill({ json: { data: { status: "expirado" } } }))
  await page.route(/\?pix=/, (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body }))
}

/** The server's page of the one Pix that the script creates. */
function endedProps({ props, status, isClosed }: Pick<Script, "props" | "status" | "isClosed">): CheckoutProps {
  const payment = {
    pix: { ...openPix, status: status as "pago" },
    title: "Mentoria de Vendas – Turma Novembro",
    seller: "Ana Souza Mentorias",
    sellerDocument: null,
    confirmedAt: "2026-11-21T17:20:00.000Z",
    returned: 10.5,
    returnUrl: null,
    isLeaving: false,
    pagePath: "/checkout/Xa8dK2lmNQpo",
  }
  return { ...props, page: isClosed ? null : props.page, payment }
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
