import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { createTilinta } from "@tilinta/client"

const { TILINTA_API_KEY: apiKey = "", TILINTA_URL: url = "http://localhost:3000", PORT = "4000" } = process.env
const tilinta = createTilinta({ apiKey, url })

type Order = { reference: string; transactionId: string; pixCode: string; status: "waiting" | "paid" | "refunded" }
// A real shop keeps these in its database.
const file = "shop.json"
const shop: { orders: Order[]; sold: number; lastEvent: number } = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : { orders: [], sold: 0, lastEvent: 0 }
const save = () => writeFileSync(file, JSON.stringify(shop))

async function sell() {
  shop.sold += 1
  const reference = `pedido-${shop.sold}`
  const body = { amount: 89.9, description: "Camiseta", externalReference: reference }
  const { charge } = await tilinta.createCharge({ body, idempotencyKey: reference })
  const order: Order = { reference, transactionId: charge._id, pixCode: charge.pixCode, status: "waiting" }
  shop.orders.push(order)
  save()
  return order
}

async function refund(reference = "") {
  const order = shop.orders.find((each) => each.reference === reference && each.status === "paid")
  const idempotencyKey = `estorno-${reference}`
  if (order) await tilinta.refundTransaction({ params: { id: order.transactionId }, idempotencyKey })
  return order
}

const server = createServer(async (request, response) => {
  const [, action, reference] = (request.url ?? "").split("/")
  const isOrder = request.method === "POST"
  const reply = isOrder ? await (action === "buy" ? sell() : refund(reference)) : shop.orders
  response.setHeader("content-type", "application/json").end(JSON.stringify(reply ?? null))
})
server.listen(Number(PORT), () => console.log("The shop is open"))

for await (const event of tilinta.events({ after: shop.lastEvent })) {
  if (event.type === "charge.paid" || event.type === "charge.refunded") {
    const order = shop.orders.find((each) => each.transactionId === event.data.transaction._id)
    if (order) order.status = event.type === "charge.paid" ? "paid" : "refunded"
  }
  shop.lastEvent = event.sequence
  save()
}
