import { randomBytes, randomInt, randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transactions"

export interface Answer {
  status: number
  body: Record<string, unknown>
  headers: Headers
  tookMs: number
}

export interface Pix {
  transactionId: string
  pixCode: string
}

export interface BankReceipt {
  endToEndId: string
  txid: string
}

const requestTimeoutMs = 120_000
const maxRepeats = 50

/** Sends a request and reads the whole answer, whatever it is. */
export async function send(url: string, init: RequestInit = {}): Promise<Answer> {
  const begin = performance.now()
  const headers = new Headers(init.headers)
  // A connection that waited for the slowest of many requests may be closed just as the next one leaves on it.
  headers.set("connection", "close")
  const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(requestTimeoutMs) })
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && text !== ""
  const body = isJson ? (JSON.parse(text) as Answer["body"]) : {}
  return { status: response.status, body, headers: response.headers, tookMs: performance.now() - begin }
}

export async function sendJson(
  url: string,
  method: "POST" | "PUT" | "PATCH",
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(url, { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) })
}

/** A seller with one page, and its payers. The server's address changes with a restart. */
export interface Shop {
  token: string
  email: string
  pageId: string
  uniqueLink: string
}

export const password = "uma-senha-boa"

interface ShopWishes {
  reais?: number
  /** Headers that name the seller's address. */
  from?: Record<string, string>
}

export async function openShop(serverUrl: string, wishes: ShopWishes = {}): Promise<Shop> {
  const email = `${randomBytes(6).toString("hex")}@exemplo.com.br`
  const person = { name: "Ana Souza", email, password, passwordConfirm: password, cpf: "52998224725", phone: "" }
  const signUp = () => sendJson(`${serverUrl}/api/v1/auth/signup`, "POST", person, wishes.from)
  const signedUp = expectStatus(await untilNotBusy(signUp), 201)
  const token = String(signedUp.token)
  const page = {
    title: "Mentoria de Vendas",
    slug: "mentoria-de-vendas",
    amount: wishes.reais ?? 33.33,
    maxPayments: null,
    pixConfig: { allowAnonymous: true, expiresInHours: 24 },
  }
  const headers = { authorization: `Bearer ${token}` }
  const create = () => sendJson(`${serverUrl}/api/v1/checkout/pages`, "POST", page, headers)
  const created = expectStatus(await untilNotBusy(create), 201)
  const { checkoutPage } = created.data as { checkoutPage: { _id: string; uniqueLink: string } }
  return { token, email, pageId: checkoutPage._id, uniqueLink: checkoutPage.uniqueLink }
}

/** Each payer comes from an address of their own, because Pix are rate-limited per address. */
export function somePayer(): { "x-forwarded-for": string } {
  return { "x-forwarded-for": `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` }
}

export async function askForPix(serverUrl: string, { pageId }: Shop, key?: string): Promise<Answer> {
  const path = "/api/v1/checkout/process-modern-pix-payment"
  const headers = { ...somePayer(), ...(key !== undefined && { "idempotency-key": key }) }
  return sendJson(serverUrl + path, "POST", { checkoutPageId: pageId }, headers)
}

/** Both say Retry-After, and that nothing was done. */
function asksToComeBack({ status }: Answer): boolean {
  return status === 503 || status === 429
}

/** Retries while the server is too busy or limits the caller, as people do; only for requests that may be repeated. */
export async function untilNotBusy(
  ask: () => Promise<Answer>,
  isBusy: (answer: Answer) => boolean = asksToComeBack,
): Promise<Answer> {
  let answer = await ask()
  for (let repeats = 0; isBusy(answer) && repeats < maxRepeats; repeats += 1) {
    await sleep(200)
    answer = await ask()
  }
  return answer
}

export async function createPix(serverUrl: string, shop: Shop, key: string = randomUUID()): Promise<Pix> {
  const answer = await untilNotBusy(() => askForPix(serverUrl, shop, key))
  return expectStatus(answer, 201).data as Pix
}

/** Pays as the payer's bank. */
export async function payAtBank(serverUrl: string, pixCode: string): Promise<Answer> {
  return sendJson(`${serverUrl}/simulador/api/pagamentos`, "POST", { pixCopiaECola: pixCode })
}

export async function pay(serverUrl: string, { pixCode }: Pix): Promise<BankReceipt> {
  return expectStatus(await payAtBank(serverUrl, pixCode), 201) as unknown as BankReceipt
}

export async function setFaults(serverUrl: string, faults: object): Promise<void> {
  expectStatus(await sendJson(`${serverUrl}/simulador/api/controle`, "PUT", faults), 200)
}

export async function askForStatus(serverUrl: string, { transactionId }: Pix): Promise<Answer> {
  return send(`${serverUrl}/api/v1/checkout/payment-status/${transactionId}`)
}

export async function readStatus(serverUrl: string, pix: Pix): Promise<PayerStatus> {
  const { data } = expectStatus(await askForStatus(serverUrl, pix), 200)
  return (data as { status: PayerStatus }).status
}

/** In centavos, although the API's amounts are in reais. */
export async function readBalanceCents(serverUrl: string, { token }: Shop): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await untilNotBusy(() => send(`${serverUrl}/api/v1/users/myBalance`, { headers }))
  return Math.round((expectStatus(answer, 200).data as { balance: number }).balance * 100)
}

export async function logIn(serverUrl: string, { email }: Shop): Promise<Answer> {
  return sendJson(`${serverUrl}/api/v1/auth/login`, "POST", { email, password })
}

export async function openCheckout(serverUrl: string, { uniqueLink }: Shop): Promise<Answer> {
  return send(`${serverUrl}/api/v1/checkout/pages/${uniqueLink}`)
}

/** The seller's net amount at the standard fee of 15 %, rounded half up. */
export function netOf(amountCents: number): number {
  return amountCents - Math.floor((amountCents * 15 + 50) / 100)
}

export function expectStatus({ status, body }: Answer, expected: number): Answer["body"] {
  if (status === expected) return body
  throw new Error(`answered ${status} instead of ${expected}: ${JSON.stringify(body)}`)
}
