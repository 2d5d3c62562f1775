import type { FastifyInstance } from "fastify"
import { z } from "zod"
import type { Bank } from "./bank.ts"
import { listParameters, pageOf, webhookListQuery } from "./list-query.ts"
import { parseRequest } from "./parse-request.ts"
import { Problem } from "./problem.ts"
import type { Webhook } from "./webhook-book.ts"

const invalidWebhook =
  "A presente requisição busca criar um webhook sem respeitar o _schema_ ou, ainda, com sentido semanticamente inválido."
const invalidQuery =
  "Os parâmetros de consulta à lista de webhooks não respeitam o _schema_ ou não fazem sentido semanticamente."

const keyParams = z.object({ key: z.string().min(1).max(77) })
const webhookRequest = z.object({ webhookUrl: z.url({ protocol: /^https?$/ }).max(2000) })

const operation = { problem: "WebhookOperacaoInvalida", detail: invalidWebhook, prefix: "webhook" } as const
const consultation = { problem: "WebhookConsultaInvalida", detail: invalidQuery } as const

export function webhookRoutes(app: FastifyInstance, bank: Bank): void {
  app.put("/webhook/:key", { config: { scope: "webhook.write" } }, async (request, reply) => {
    const { key } = parseRequest(request.params, { schema: keyParams, ...operation })
    const { webhookUrl } = parseRequest(request.body, { schema: webhookRequest, ...operation })
    if (key !== bank.account.receiverKey) throw foreignKey()
    const webhook = { receiverKey: key, url: webhookUrl, createdAt: bank.clock.now() }
    await bank.books.write(() => bank.webhooks.register(webhook))
    bank.delivery.wake()
    return reply.send(toWebhook(webhook))
  })

  app.get("/webhook/:key", { config: { scope: "webhook.read" } }, async (request) => {
    const { key } = parseRequest(request.params, { schema: keyParams, ...consultation })
    const webhook = bank.webhooks.find(key)
    if (webhook === undefined) throw webhookNotFound()
    return toWebhook(webhook)
  })

  app.delete("/webhook/:key", { config: { scope: "webhook.write" } }, async (request, reply) => {
    const { key } = parseRequest(request.params, { schema: keyParams, ...consultation })
    const isRemoved = await bank.books.write(() => bank.webhooks.remove(key))
    if (!isRemoved) throw webhookNotFound()
    return reply.code(204).send()
  })

  app.get("/webhook", { config: { scope: "webhook.read" } }, async (request) => {
    const query = parseRequest(request.query, { schema: webhookListQuery, ...consultation })
    const webhooks = bank.webhooks.between(query.inicio ?? 0, query.fim ?? Number.MAX_SAFE_INTEGER)
    const { limit, offset } = pageOf(query)
    return {
      parametros: listParameters(query, webhooks.length),
      webhooks: webhooks.slice(offset, offset + limit).map(toWebhook),
    }
  })
}

function toWebhook({ url, receiverKey, createdAt }: Webhook) {
  return { webhookUrl: url, chave: receiverKey, criacao: new Date(createdAt).toISOString() }
}

function webhookNotFound(): Problem {
  return new Problem("WebhookNaoEncontrado", 404, "O webhook denotado por chave não encontra-se estabelecido.")
}

function foreignKey(): Problem {
  return new Problem("WebhookOperacaoInvalida", 400, invalidWebhook, [
    {
      razao: "O parâmetro chave não corresponde a uma chave DICT pertencente a este usuário recebedor.",
      propriedade: "chave",
    },
  ])
}
