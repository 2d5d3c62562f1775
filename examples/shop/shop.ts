import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import { createTilinta, verifyWebhook, WebhookForgedError } from "@tilinta/client"

const { TILINTA_API_KEY: apiKey = "", TILINTA_URL: url = "http://localhost:3000" } = process.env
const { WEBHOOK_SECRET: secret = "", PORT = "4000" } = process.env
const tilinta = createTilinta({ apiKey, url })

type Order = { reference: string; status: string; lastEvent: number; transactionId?: string; pixCode?: string }
// A real shop keeps these in its database.
const file = "shop.json"
const orders: Order[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []
const save = () => writeFileSync(file, JSON.stringify(orders))

async function sell() {
  const reference = `pedido-${orders.length + 1}`
  const order: Order = { reference, status: "waiting", lastEvent: 0 }
  orders.push(order)
  const body = { amount: 89.9, description: "Camiseta", externalReference: reference }
  const { charge } = await tilinta.createCharge({ body, idempotencyKey: reference })
  Object.assign(order, { transactionId: charge._id, pixCode: charge.pixCode })
  save()
  return order
}

async function refund(reference = "") {
  const order = orders.find((each) => each.reference === reference && each.status === "paid")
  const idempotencyKey = `estorno-${reference}`
  if (order?.transactionId) await tilinta.refundTransaction({ params: { id: order.transactionId }, idempotencyKey })
  return order
}

async function hear(request: IncomingMessage) {
  const event = await verifyWebhook(await text(request), request.headers, secret)
  if (event.type !== "charge.paid" && event.type !== "charge.refunded") return
  const order = orders.find((each) => each.reference === event.data.transaction.externalReference)
  if (!order || event.sequence <= order.lastEvent) return
  Object.assign(order, { status: event.type === "charge.paid" ? "paid" : "refunded", lastEvent: event.sequence })
  save()
}

async function answer(request: IncomingMessage) {
  const [, action, reference] = (request.url ?? "").split("/")
  if (request.method !== "POST") return orders
  if (action === "buy") return sell()
  if (action === "refund") return refund(reference)
  return hear(request)
}

const server = createServer(async (request, response) => {
  try {
    const reply = await answer(request)
    response.setHeader("content-type", "application/json").end(JSON.stringify(reply ?? null))
  } catch (error) {
    response.writeHead(error instanceof WebhookForgedError ? 400 : 500).end()
  }
})
server.listen(Number(PORT), () => console.log("The shop is open"))
