import type { AddressInfo } from "node:net"
import Fastify from "fastify"

/** Reference for payment-status: Fastify alone with the same answer and a schema for it. */
const app = Fastify()
const schema = {
  type: "object",
  properties: {
    status: { type: "string" },
    data: { type: "object", properties: { status: { type: "string" } } },
  },
}
const answer = { status: "success", data: { status: "pendente" } }
app.get("/api/v1/checkout/payment-status/:transactionId", { schema: { response: { 200: schema } } }, async () => answer)
await app.listen({ host: "127.0.0.1", port: 0 })
const { port } = app.server.address() as AddressInfo
process.stdout.write(`static route at ${port}\n`)
