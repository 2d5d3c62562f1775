import type { CustomerInfoBody } from "@tilinta/contract/payments"
import { checkReceipt } from "@tilinta/contract/proofs/receipt-text"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { dayText, saoPauloDay } from "#kit/clock"
import { rotateSigningKey } from "#money/chain/keys"
import { bookPayments } from "#money/payments/book"
import { recordReportedRefunds } from "#money/refunds/reported"
import { changeShop } from "#people/shops/change"
import { createCharge } from "#selling/charges/create"
import { erasePayerData } from "#selling/charges/payer-data"
import { openEdgeWorld } from "../../../test-support/edge-world.ts"
import { textOfPdf } from "../../../test-support/read-pdf.ts"
import { createPage, receiptOf } from "../../../test-support/sandbox.ts"

const world = await openEdgeWorld()
const seller = await world.user()

afterAll(() => world.close())

const payer = { name: "Bruno Lima Dias", email: "bruno@cliente.example", cpf: "52998224725", phone: "11987654321" }

async function openCharge(owner = seller, customerInfo: CustomerInfoBody = payer) {
  const page = await createPage(world, { sellerId: owner.id, maxPayments: null, allowAnonymous: false })
  const charge = await createCharge(world, { pageId: page.id, customerInfo, idempotencyKey: null })
  return { ...charge, k: world.payerTokens.of(charge.id) }
}

/** As the bank tells of it. */
async function pay({ txid, amountCents }: { txid: string; amountCents: number }) {
  const receipt = receiptOf(txid, amountCents)
  await bookPayments(world, [receipt])
  return receipt
}

async function paid(owner = seller, customerInfo: CustomerInfoBody = payer) {
  const charge = await openCharge(owner, customerInfo)
  return { ...charge, received: await pay(charge) }
}

async function refund({ received }: Awaited<ReturnType<typeof paid>>, cents: number) {
  const { endToEndId } = received
  const settled = { state: "completed", reason: null, settledAt: new Date("2026-11-22T12:00:00Z") } as const
  const returned = {
    pspRefundId: `r${endToEndId}`,
    returnId: endToEndId.replace("E", "D"),
    amountCents: cents as Cents,
  }
  await recordReportedRefunds(world, [{ ...received, refunds: [{ ...returned, ...settled }] }])
}

async function receiptTextOf(id: string, query = ""): Promise<string> {
  return (await world.call("GET", `/api/v1/checkout/payment-proofs/${id}/receipt${query}`)).json.data.receipt
}

const verify = async (receipt: unknown, from?: string) =>
  world.call("POST", "/api/v1/receipts/verify", { body: { receipt }, ...(from !== undefined && { from }) })
const verdictOn = async (receipt: string) => (await verify(receipt)).json.data
const keysOf = async () => (await world.call("GET", "/.well-known/tilinta/receipts.json")).json.keys
const transactionOf = async (id: string) =>
  (await world.call("GET", `/api/v1/payments/transactions/${id}`, { token: seller.token })).json.data.transaction

test("a paid charge has a receipt, which the published key proves without us", async () => {
  const { id, k, received } = await paid()
  const { status, json, headers } = await world.call("GET", `/api/v1/checkout/payment-proofs/${id}/receipt?k=${k}`)
  expect(status).toBe(200)
  expect(headers["cache-control"]).toBe("no-store")
  const { receipt, verifyUrl, ...facts } = json.data
  const paidAt = received.paidAt.toISOString()
  const { endToEndId } = received
  expect(facts).toEqual({
    amount: 100,
    receiver: "Ana Souza",
    receiverDocument: null,
    paidAt,
    endToEndId,
    payerCpf: "***.982.247-**",
    payerCnpj: null,
  })
  expect(verifyUrl).toBe(`http://localhost:3000/verificar#${receipt}`)
  const checked = await checkReceipt(receipt, await keysOf())
  expect(checked).toMatchObject({
    verdict: "genuine",
    facts: { amountCents: 10_000, endToEndId, payerDigits: "982247" },
  })
  expect(await verdictOn(receipt)).toMatchObject({ verdict: "valid", amount: 100, endToEndId, refundedAmount: 0 })
})

test("it says nothing of the payer but the masked CPF, which only the payer puts in, and may leave out", async () => {
  const { id, k, received } = await paid()
  const texts = await Promise.all([`?k=${k}`, `?k=${k}&cpf=0`, ""].map((query) => receiptTextOf(id, query)))
  const said = texts.map((text) => JSON.parse(Buffer.from(text.split(".")[2] ?? "", "base64url").toString()))
  const others = [10_000, "Ana Souza", Math.floor(received.paidAt.getTime() / 1000), received.endToEndId]
  expect(said).toEqual(["982247", "", ""].map((digits) => [...others, digits]))
  expect(await Promise.all(texts.map(async (text) => (await verdictOn(text)).verdict))).toEqual([
    "valid",
    "valid",
    "valid",
  ])
})

test("of a company it says the whole CNPJ, unless it is left out", async () => {
  const { id, k } = await paid(seller, { ...payer, cpf: null, cnpj: "12.abc.345/01de-35" })
  const shown = { payerCpf: null, payerCnpj: "12.ABC.345/01DE-35" }
  expect(await verdictOn(await receiptTextOf(id, `?k=${k}`))).toMatchObject({ verdict: "valid", ...shown })
  expect(await verdictOn(await receiptTextOf(id, `?k=${k}&cpf=0`))).toMatchObject({ payerCpf: null, payerCnpj: null })
  const page = await world.call("GET", `/payment/success?transactionId=${id}&k=${k}`)
  expect(page.text).toContain("CNPJ de quem pagou")
  expect(page.text).toContain("Tirar o CNPJ do comprovante")
})

test("before the payment there is none; a wrong token or id is unknown", async () => {
  const { id } = await openCharge()
  const early = await world.call("GET", `/api/v1/checkout/payment-proofs/${id}/receipt`)
  expect([early.status, early.json.code]).toEqual([409, "receipt_not_ready"])
  const other = await paid()
  for (const url of [`${id}/receipt?k=${other.k}`, "x/receipt"]) {
    expect((await world.call("GET", `/api/v1/checkout/payment-proofs/${url}`)).status).toBe(404)
  }
  for (const url of [`/payment/receipt/${id}?k=${other.k}`, `/payment/receipt/${id}/recibo.pdf?k=x`]) {
    const page = await world.call("GET", url)
    expect(page.status).toBe(404)
    expect(page.headers["content-type"]).toContain("text/html")
  }
})

test("a refund shows, a part and then all of it, and what is paid late has a receipt, too", async () => {
  const charge = await paid()
  const text = await receiptTextOf(charge.id)
  await refund(charge, 2_500)
  expect(await verdictOn(text)).toMatchObject({ verdict: "refunded", amount: 100, refundedAmount: 25 })
  await recordReportedRefunds(world, [
    {
      ...charge.received,
      refunds: [
        {
          ...{ pspRefundId: "rest", returnId: null, amountCents: 7_500 as Cents },
          ...{ state: "completed", reason: null, settledAt: new Date("2026-11-22T13:00:00Z") },
        },
      ],
    },
  ])
  expect(await verdictOn(text)).toMatchObject({ verdict: "refunded", refundedAmount: 100 })
  expect(await verdictOn(await receiptTextOf(charge.id))).toMatchObject({ verdict: "refunded" })

  const late = await openCharge()
  await world.db.updateTable("charges").set({ status: "expired" }).where("id", "=", late.id).execute()
  await pay(late)
  expect(await transactionOf(late.id)).toMatchObject({ status: "pago", metadata: { late: true } })
  expect(await verdictOn(await receiptTextOf(late.id))).toMatchObject({ verdict: "valid" })
})

test("whatever else is sent is forged, with status 200, also empty, huge and unreadable", async () => {
  const text = await receiptTextOf((await paid()).id)
  const last = text.endsWith("A") ? "B" : "A"
  const texts = ["", " ", "não é um recibo", text.slice(0, -1) + last, `${text} `, `\n${text}`, text.toLowerCase()]
  for (const forged of [...texts, "x".repeat(900_000), "\0\ud800\uffff", `https://x.example/verificar#${text}`]) {
    const { status, json } = await verify(forged)
    expect({ status, verdict: json.data.verdict }).toEqual({ status: 200, verdict: "forged" })
    expect(json.data).toMatchObject({ amount: null, receiver: null, endToEndId: null, refundedAmount: 0 })
  }
  for (const none of [undefined, null, 5, {}]) expect([400, 422]).toContain((await verify(none)).status)
})

test("a rotated key leaves old receipts valid, and signs the next ones", async () => {
  const { id } = await paid()
  const before = await receiptTextOf(id)
  await rotateSigningKey(world, "receipt")
  world.clock.pass(11)
  const after = await receiptTextOf(id)
  expect(after.split(".")[1]).not.toBe(before.split(".")[1])
  const keys = await keysOf()
  expect(keys.map(({ kid }: { kid: string }) => kid)).toEqual([after.split(".")[1], before.split(".")[1]])
  expect(JSON.stringify(keys)).not.toMatch(/"d"|sealed/)
  for (const text of [before, after]) {
    expect(await verdictOn(text)).toMatchObject({ verdict: "valid" })
    expect(await checkReceipt(text, keys)).toMatchObject({ verdict: "genuine" })
  }
})

test("erased payers are in no later receipt; what they have stays valid, also after the seller's name is gone", async () => {
  const { id, k } = await paid()
  const before = await receiptTextOf(id, `?k=${k}`)
  expect(await erasePayerData(world, { chargeId: id, address: "203.0.113.9" })).toBe(true)
  const after = await receiptTextOf(id, `?k=${k}`)
  expect(await checkReceipt(after, await keysOf())).toMatchObject({ facts: { payerDigits: null } })

  await world.db.updateTable("users").set({ name: "Conta excluída" }).where("id", "=", seller.id).execute()
  expect(await verdictOn(before)).toMatchObject({ verdict: "valid", receiver: "Ana Souza", payerCpf: "***.982.247-**" })
  expect(await verdictOn(await receiptTextOf(id))).toMatchObject({ verdict: "valid", receiver: "Conta excluída" })
  await world.db.updateTable("users").set({ name: "Ana Souza" }).where("id", "=", seller.id).execute()
})

test("the seller sees how often a receipt was verified: each network once a day, and forgeries never", async () => {
  const { id } = await paid()
  const text = await receiptTextOf(id)
  expect((await transactionOf(id)).receiptVerifications).toBe(0)
  await verify(`${text}x`, "203.0.113.7")
  await Promise.all(Array.from({ length: 5 }, () => verify(text, "203.0.113.7")))
  expect((await transactionOf(id)).receiptVerifications).toBe(1)
  await verify(text, "203.0.113.8")
  world.clock.pass(86_400)
  await verify(text, "203.0.113.7")
  expect((await transactionOf(id)).receiptVerifications).toBe(3)
  await Promise.all([1, 2, 3, 4].map((last) => verify(text, `198.51.100.${last}`)))
  expect((await transactionOf(id)).receiptVerifications).toBe(7)
  const { json } = await world.call("GET", "/api/v1/payments/transactions?page=1", { token: seller.token })
  const counts = json.data.transactions.map((row: { _id: string; receiptVerifications: number }) => row)
  expect(counts.find(({ _id }: { _id: string }) => _id === id)).toMatchObject({ receiptVerifications: 7 })
  const admin = await world.user("admin")
  const details = await world.call("GET", `/api/v1/admin/transactions/${id}`, { token: admin.token })
  expect(details.json.data.transaction.receiptVerifications).toBe(7)
})

test("the page shows the receipt, leaves the CPF out on request, and passes on no token", async () => {
  const { id, k, received } = await paid()
  const url = `/payment/success?transactionId=${id}&k=${k}`
  const page = await world.call("GET", url)
  expect(page.status).toBe(200)
  expect(page.headers).toMatchObject({ "cache-control": "no-store", "x-robots-tag": "noindex" })
  const facts = ["R$ 100,00", "Ana Souza", "***.982.247-**", "<svg ", id, received.endToEndId]
  for (const shown of ["Pagamento Realizado com Sucesso!", ...facts]) expect(page.text).toContain(shown)
  expect(page.text).not.toMatch(/Bruno|bruno@|52998224725/)
  const sent = /href="(https:\/\/wa\.me\/[^"]+)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
  const message = new URL(sent).searchParams.get("text") ?? ""
  expect(message).toMatch(/^Comprovante de R\$ 100,00 pago a Ana Souza .* http:\/\/localhost:3000\/verificar#TLR1\./)
  expect(message).not.toContain(k)

  const without = await world.call("GET", `${url}&cpf=0`)
  expect(without.text).not.toContain("982.247")
  expect(without.text).toContain("Pôr o meu CPF")
  const ofAnybody = await world.call("GET", `/payment/success?transactionId=${id}`)
  expect(ofAnybody.text).not.toContain("982.247")
  expect((await world.call("GET", `/payment/error?transactionId=${id}`)).text).toContain(received.endToEndId)
})

test("the page and the PDF show the shop as it was when it was paid, and whom to ask today", async () => {
  const owner = await world.user()
  const actor = { id: owner.id, address: null }
  const shop = { name: "Doces da Ana", document: "11222333000181", color: "amber", whatsapp: "11987654321" } as const
  await changeShop(world, actor, shop)
  const { id, k } = await paid(owner)
  world.clock.pass(30 * 86_400)
  await changeShop(world, actor, { name: "Ana Confeitaria", document: "" })
  const page = (await world.call("GET", `/payment/success?transactionId=${id}&k=${k}`)).text
  for (const part of ["Doces da Ana", "11.222.333/0001-81", "Falar com Ana Confeitaria", "https://wa.me/5511987654321"])
    expect(page).toContain(part)
  const pdf = await world.app.inject({ method: "GET", url: `/payment/receipt/${id}/comprovante.pdf?k=${k}` })
  for (const part of ["Doces da Ana", "11.222.333/0001-81"]) expect(textOfPdf(pdf.rawPayload)).toContain(part)
})

test("links of before lead to the one address of a receipt", async () => {
  const { id, k } = await paid()
  const address = `/payment/success?transactionId=${id}&k=${k}`
  const links = {
    [`/payment/receipt/${id}?k=${k}`]: address,
    [`/payment/receipt/${id}?k=${k}&cpf=0`]: `${address}&cpf=0`,
    [`/payment/success?transactionId=${id}?k=${k}`]: address,
    [`/checkout/x?pix=${id}&k=${k}&comprovante=1`]: address,
    [`/checkout/x?pix=${id}?k=${k}&comprovante=1`]: address,
  }
  for (const [from, to] of Object.entries(links)) {
    const { status, headers } = await world.call("GET", from)
    expect([from, status, headers["location"]]).toEqual([from, 302, to])
  }
})

test("what isn't paid, a wrong token and the sample are the app's", async () => {
  const { id } = await openCharge()
  const { k } = await paid()
  for (const search of ["", `?transactionId=${id}`, `?transactionId=${id}&k=${k}`, "?transactionId=x", "?amount=999"]) {
    const page = await world.call("GET", `/payment/success${search}`)
    expect(page.status).toBe(200)
    expect(page.text).not.toMatch(/Comprovante<|<svg role/)
    expect(page.headers["content-security-policy"]).not.toContain("nonce")
  }
})

test("the receipt tells each refund", async () => {
  const charge = await paid()
  const page = async () => (await world.call("GET", `/payment/success?transactionId=${charge.id}&k=${charge.k}`)).text
  await refund(charge, 2_500)
  const told = /Pagamento Realizado com Sucesso!.*R\$\s25,00 em (\d\d\/\d\d\/\d{4}) às \d\d:\d\d<.*ID do estorno/s
  expect(told.exec(await page())?.[1]).toBe(dayText(saoPauloDay(world.clock.now())))
})

test("the PDF is one page that says the same, under its former name, too", async () => {
  const { id, k } = await paid()
  for (const name of ["comprovante.pdf", "recibo.pdf"]) {
    const reply = await world.app.inject({ method: "GET", url: `/payment/receipt/${id}/${name}?k=${k}` })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({ "content-type": "application/pdf", "cache-control": "no-store" })
    expect(reply.headers["content-disposition"]).toContain("comprovante.pdf")
    expect(reply.rawPayload.subarray(0, 5).toString()).toBe("%PDF-")
    expect(reply.rawPayload.toString("latin1").match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1)
  }
})

test.each(["Plano Pró – “Família” d’Ouro €", "Łódź e București ★"])(
  "the PDF has the title %s as typed",
  async (title) => {
    const page = await createPage(world, { sellerId: seller.id, maxPayments: null, allowAnonymous: false, title })
    const charge = await createCharge(world, { pageId: page.id, customerInfo: payer, idempotencyKey: null })
    await pay(charge)
    const url = `/payment/receipt/${charge.id}/comprovante.pdf?k=${world.payerTokens.of(charge.id)}`
    expect(textOfPdf((await world.app.inject({ method: "GET", url })).rawPayload)).toContain(title)
  },
)
