import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import { challengeOf, createTilinta, verifyWebhook, WebhookForgedError } from "@tilinta/client"

const { TILINTA_API_KEY: apiKey = "", TILINTA_URL: url = "http://localhost:3000", PORT = "4000" } = process.env
const tilinta = createTilinta({ apiKey, url })

type Order = { reference: string; status: string; lastEvent: number; transactionId?: string; pixCode?: string }
// A real shop keeps these in its database.
const orders: Order[] = existsSync("shop.json") ? JSON.parse(readFileSync("shop.json", "utf8")) : []

async function sell() {
  const order: Order = { reference: `pedido-${orders.length + 1}`, status: "waiting", lastEvent: 0 }
  orders.push(order)
  const body = { amount: 89.9, description: "Camiseta", externalReference: order.reference }
  const { charge } = await tilinta.createCharge({ body, idempotencyKey: order.reference })
  return Object.assign(order, { transactionId: charge._id, pixCode: charge.pixCode })
}

async function refund(reference: string) {
  const id = orders.find((order) => order.reference === reference && order.status === "paid")?.transactionId
  if (id) await tilinta.refundTransaction({ params: { id }, idempotencyKey: `estorno-${reference}` })
}

async function hear(request: IncomingMessage) {
  const event = await verifyWebhook(await text(request), request.headers, process.env["WEBHOOK_SECRET"] ?? "")
  if (event.type !== "charge.paid" && event.type !== "charge.refunded") return challengeOf(event)
  const { externalReference } = event.data.transaction
  const order = orders.find(({ reference, lastEvent }) => reference === externalReference && lastEvent < event.sequence)
  if (order) Object.assign(order, { status: event.type.slice("charge.".length), lastEvent: event.sequence })
  return null
}

const server = createServer(async (request, response) => {
  const [, action, reference = ""] = (request.method === "POST" ? (request.url ?? "") : "").split("/")
  try {
    const sold = action === "buy" ? await sell() : undefined
    if (action === "refund") await refund(reference)
    const word = action === "hook" ? await hear(request) : null
    writeFileSync("shop.json", JSON.stringify(orders))
    response.setHeader("content-type", "application/json").end(word ?? JSON.stringify(sold ?? orders))
  } catch (error) {
    response.writeHead(error instanceof WebhookForgedError ? 400 : 500).end()
  }
})
server.listen(Number(PORT), () => console.log("The shop is open"))
