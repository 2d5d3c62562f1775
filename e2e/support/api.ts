import { randomUUID } from "node:crypto"
import { type APIRequestContext, type APIResponse, expect } from "@playwright/test"
import type { ShopRole } from "@tilinta/contract/vocabulary/team"

export interface Seller {
  name: string
  email: string
  password: string
  token: string
}

export interface ChargePage {
  _id: string
  title: string
  slug: string
  uniqueLink: string
  amount: number
  status: string
  expiresAt: string | null
  requireCustomerData: boolean
  customerInfo: Record<"requireName" | "requireEmail" | "requirePhone" | "requireCpf", boolean>
  pixConfig: { allowAnonymous: boolean; expiresInHours: number }
  maxPayments: number | null
}

type ChargePageOrder = Partial<Omit<ChargePage, "_id" | "uniqueLink" | "status">> & { description?: string }

/** The admin that every test installation starts with. */
export const admin = { email: "admin@tilinta.example", password: "senha de quem cuida" }
export const validCpf = "52998224725"
export const password = "uma senha comprida"

export function newEmail(): string {
  return `ana.${randomUUID()}@exemplo.com`
}

export async function signUp(
  request: APIRequestContext,
  name = "Ana Souza",
  email = newEmail(),
  invitation?: string,
): Promise<Seller> {
  const answer = await request.post("/api/v1/auth/signup", {
    data: { name, email, password, passwordConfirm: password, cpf: validCpf, ...(invitation && { invitation }) },
  })
  const { token } = await bodyOf<{ token: string }>(answer)
  return { name, email, password, token }
}

/** Somebody of the seller's team, and the shop for which they act. Who signs up by the invitation has no shop of their own. */
export async function joinTeam(
  request: APIRequestContext,
  owner: Seller,
  role: ShopRole,
  { byInvitation = false } = {},
): Promise<Seller & { shopId: string }> {
  const email = newEmail()
  const early = byInvitation ? null : await signUp(request, "Bia Reis", email)
  const asOwner = { Authorization: `Bearer ${owner.token}` }
  const me = await bodyOf<{ data: { user: { _id: string } } }>(
    await request.get("/api/v1/users/me", { headers: asOwner }),
  )
  const shopId = me.data.user._id
  const invited = await bodyOf<{ data: { invitation: { link: string } } }>(
    await request.post(`/api/v1/shops/${shopId}/invitations`, {
      headers: asOwner,
      data: { email, role },
    }),
  )
  const token = invited.data.invitation.link.split("/").at(-1)
  const member = early ?? (await signUp(request, "Bia Reis", email, token))
  const headers = { Authorization: `Bearer ${member.token}` }
  await bodyOf(await request.post(`/api/v1/invitations/${token}/accept`, { headers }))
  return { ...member, shopId }
}

/** Another administrator beside the first, with an open session. */
export async function addAdmin(request: APIRequestContext, name: string): Promise<Seller> {
  const person = await signUp(request, name)
  await changeRole(request, person, "admin")
  return { ...person, token: await logIn(request, person) }
}

export async function changeRole(request: APIRequestContext, seller: Seller, role: "admin" | "user"): Promise<void> {
  await changeUser(request, seller, { role })
}

/** As the first administrator does. */
export async function changeUser(request: APIRequestContext, { email }: Seller, data: object): Promise<void> {
  const headers = { Authorization: `Bearer ${await logIn(request, admin)}` }
  const list = await request.get("/api/v1/admin/users", { headers, params: { search: email } })
  const found = await bodyOf<{ data: { users: { _id: string }[] } }>(list)
  await bodyOf(await request.patch(`/api/v1/admin/users/${found.data.users[0]?._id}`, { headers, data }))
}

/** Opens a session and returns its token. */
export async function logIn(
  request: APIRequestContext,
  { email, password }: Pick<Seller, "email" | "password">,
): Promise<string> {
  const answer = await request.post("/api/v1/auth/login", { data: { email, password } })
  return (await bodyOf<{ token: string }>(answer)).token
}

export async function createChargePage(
  request: APIRequestContext,
  seller: Seller,
  order: ChargePageOrder = {},
): Promise<ChargePage> {
  const answer = await request.post("/api/v1/checkout/pages", {
    headers: authorization(seller),
    data: {
      title: "Mentoria de Vendas",
      slug: `mentoria-${randomUUID().slice(0, 8)}`,
      amount: 100,
      pixConfig: { allowAnonymous: true, expiresInHours: 24 },
      ...order,
    },
  })
  return (await bodyOf<{ data: { checkoutPage: ChargePage } }>(answer)).data.checkoutPage
}

/** Names the shop that payers see; the rest stays as it is. */
export async function changeShop(
  request: APIRequestContext,
  seller: Seller,
  shop: Partial<Record<"name" | "document" | "color" | "whatsapp" | "email" | "closedText", string>>,
): Promise<void> {
  await bodyOf(await request.patch("/api/v1/users/me/shop", { headers: authorization(seller), data: shop }))
}

/** Returns the customer's id. */
export async function createCustomer(
  request: APIRequestContext,
  seller: Seller,
  customer: Partial<Record<"name" | "document" | "email" | "phone" | "notes" | "externalReference", string>>,
): Promise<string> {
  const answer = await request.post("/api/v1/customers", { headers: authorization(seller), data: customer })
  return (await bodyOf<{ data: { customer: { _id: string } } }>(answer)).data.customer._id
}

export async function changeCustomer(
  request: APIRequestContext,
  seller: Seller,
  id: string,
  data: { document: string },
): Promise<void> {
  await bodyOf(await request.patch(`/api/v1/customers/${id}`, { headers: authorization(seller), data }))
}

/** Due by this day, of R$ 100. Returns the invoice's id. */
export async function createInvoice(
  request: APIRequestContext,
  seller: Seller,
  invoice: { customerId: string; dueDate: string; description?: string },
): Promise<string> {
  const data = { amount: 100, ...invoice }
  const answer = await request.post("/api/v1/invoices", { headers: authorization(seller), data })
  return (await bodyOf<{ data: { invoice: { _id: string } } }>(answer)).data.invoice._id
}

export async function putLogo(request: APIRequestContext, seller: Seller, png: Buffer): Promise<void> {
  const headers = { ...authorization(seller), "Content-Type": "image/png" }
  await bodyOf(await request.put("/api/v1/users/me/shop/logo", { headers, data: png }))
}

/** All of the seller's pages, from the API. */
export async function listChargePages(request: APIRequestContext, seller: Seller): Promise<ChargePage[]> {
  const answer = await request.get("/api/v1/checkout/pages?limit=100", { headers: authorization(seller) })
  return (await bodyOf<{ data: { checkoutPages: ChargePage[] } }>(answer)).data.checkoutPages
}

export async function cancelChargePage(request: APIRequestContext, seller: Seller, page: ChargePage): Promise<void> {
  await bodyOf(await request.patch(`/api/v1/checkout/pages/${page._id}/cancel`, { headers: authorization(seller) }))
}

export async function countTransactions(request: APIRequestContext, seller: Seller): Promise<number> {
  const answer = await request.get("/api/v1/payments/transactions", { headers: authorization(seller) })
  return (await bodyOf<{ data: { transactions: unknown[] } }>(answer)).data.transactions.length
}

export async function requestPix(
  request: APIRequestContext,
  page: ChargePage,
): Promise<{ transactionId: string; pixCode: string; payerToken: string }> {
  const answer = await request.post("/api/v1/checkout/process-modern-pix-payment", {
    headers: { "Idempotency-Key": randomUUID() },
    data: { checkoutPageId: page._id, customerInfo: null },
  })
  return (await bodyOf<{ data: { transactionId: string; pixCode: string; payerToken: string } }>(answer)).data
}

/** Pays as the payer's bank. */
export async function payCode(request: APIRequestContext, pixCode: string): Promise<void> {
  await bodyOf(await request.post("/simulador/api/pagamentos", { data: { pixCopiaECola: pixCode } }))
}

/** Creates a page, pays it, and waits until the seller sees it as paid. */
export async function createPaidPage(
  request: APIRequestContext,
  seller: Seller,
  order: ChargePageOrder = {},
): Promise<ChargePage> {
  const page = await createChargePage(request, seller, order)
  await payPage(request, page)
  return page
}

/** A page that was paid so many times, one payment after the other. */
export async function createSoldPage(
  request: APIRequestContext,
  seller: Seller,
  { sales, ...order }: ChargePageOrder & { sales: number },
): Promise<ChargePage> {
  const page = await createChargePage(request, seller, { maxPayments: null, ...order })
  for (let sold = 0; sold < sales; sold += 1) await payPage(request, page)
  return page
}

async function payPage(request: APIRequestContext, page: ChargePage): Promise<void> {
  const { transactionId, pixCode, payerToken } = await requestPix(request, page)
  await payCode(request, pixCode)
  await untilPaid(request, `${transactionId}?k=${payerToken}`)
}

export async function refundPayment(
  request: APIRequestContext,
  seller: Seller,
  { transactionId, amount }: { transactionId: string; amount: number },
): Promise<void> {
  const path = `/api/v1/payments/transactions/${transactionId}/refunds`
  const headers = { ...authorization(seller), "Idempotency-Key": randomUUID() }
  await bodyOf(await request.post(path, { headers, data: { amount } }))
}

export async function requestWithdrawal(
  request: APIRequestContext,
  seller: Seller,
  order: Record<string, unknown>,
): Promise<{ _id: string }> {
  const headers = { ...authorization(seller), "Idempotency-Key": randomUUID() }
  const answer = await request.post("/api/v1/withdrawals", { headers, data: order })
  return (await bodyOf<{ data: { withdrawal: { _id: string } } }>(answer)).data.withdrawal
}

export async function listWithdrawals(request: APIRequestContext, seller: Seller): Promise<unknown[]> {
  const answer = await request.get("/api/v1/withdrawals", { headers: authorization(seller) })
  return (await bodyOf<{ data: { withdrawals: unknown[] } }>(answer)).data.withdrawals
}

/** Receives a payment that belongs to no charge; returns its id once it awaits review. */
export async function receiveStray(request: APIRequestContext, valor: string): Promise<string> {
  const answer = await request.post("/simulador/api/recebimentos", { data: { valor } })
  const { endToEndId } = await bodyOf<{ endToEndId: string }>(answer)
  const headers = { Authorization: `Bearer ${await logIn(request, admin)}` }
  async function countOpen(): Promise<number> {
    const list = await request.get("/api/v1/admin/unmatched-payments", { headers, params: { search: endToEndId } })
    return (await bodyOf<{ results: number }>(list)).results
  }
  // 409 where it is running anyway.
  const run = await request.post("/api/v1/admin/system/jobs/reconcile-receipts/run", { headers })
  expect([200, 409]).toContain(run.status())
  await expect.poll(countOpen, { intervals: [100, 500] }).toBe(1)
  return endToEndId
}

export async function decideWithdrawal(
  request: APIRequestContext,
  { _id }: { _id: string },
  decision: "approve" | "reject",
): Promise<void> {
  const headers = { Authorization: `Bearer ${await logIn(request, admin)}` }
  await bodyOf(await request.patch(`/api/v1/admin/withdrawals/${_id}/${decision}`, { headers, data: {} }))
}

async function untilPaid(request: APIRequestContext, address: string): Promise<void> {
  async function readStatus(): Promise<string> {
    const answer = await request.get(`/api/v1/checkout/payment-status/${address}`)
    return (await bodyOf<{ data: { status: string } }>(answer)).data.status
  }
  await expect.poll(readStatus, { intervals: [20, 50, 100] }).toBe("pago")
}

/** Disputes the seller's only payment, or a part of it; returns the bank's id once the platform knows it. */
export async function contestPayment(request: APIRequestContext, seller: Seller, valor?: string): Promise<string> {
  const list = await request.get("/api/v1/payments/transactions", { headers: authorization(seller) })
  const { data } = await bodyOf<{ data: { transactions: { metadata: { endToEndId: string } }[] } }>(list)
  const endToEndId = data.transactions[0]?.metadata.endToEndId
  const answer = await request.post("/simulador/api/infracoes", { data: { endToEndId, ...(valor && { valor }) } })
  await untilDisputed(request, seller, 1)
  return (await bodyOf<{ idInfracao: string }>(answer)).idInfracao
}

/** Decides the dispute at the bank and waits until the platform knows the outcome. */
export async function decideDispute(
  request: APIRequestContext,
  seller: Seller,
  { disputeId, status }: { disputeId: string; status: "ACEITA" | "REJEITADA" },
): Promise<void> {
  await bodyOf(await request.put(`/simulador/api/infracoes/${disputeId}`, { data: { status } }))
  await untilDisputed(request, seller, 0)
}

async function untilDisputed(request: APIRequestContext, seller: Seller, count: number): Promise<void> {
  async function countOpen(): Promise<number> {
    const answer = await request.get("/api/v1/payments/disputes", { headers: authorization(seller) })
    return (await bodyOf<{ data: { summary: { count: number } } }>(answer)).data.summary.count
  }
  await expect.poll(countOpen, { intervals: [100, 500] }).toBe(count)
}

/** Says as an administrator what became of money that the bank doesn't answer for. */
export async function settleByHand(
  request: APIRequestContext,
  path: `${"withdrawals" | "refunds"}/${string}`,
  { token }: Seller,
  said: Record<string, unknown>,
): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` }
  await bodyOf(await request.patch(`/api/v1/admin/${path}/settle`, { headers, data: said }))
}

export async function setBankFaults(request: APIRequestContext, faults: Record<string, unknown>): Promise<void> {
  await bodyOf(await request.put("/simulador/api/controle", { data: faults }))
}

function authorization({ token }: Seller): Record<string, string> {
  return { Authorization: `Bearer ${token}` }
}

async function bodyOf<T>(answer: APIResponse): Promise<T> {
  if (!answer.ok()) throw new Error(`${answer.url()} answered ${answer.status()}: ${await answer.text()}`)
  return (await answer.json()) as T
}
