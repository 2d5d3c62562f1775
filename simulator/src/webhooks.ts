import type { FastifyInstance } from "fastify"
import { z } from "zod"
import { withLocalTimes } from "./answer-faults.ts"
import type { Bank } from "./bank.ts"
import type { Occasion } from "./faults.ts"
import type { Webhook } from "./payout-books.ts"
import { listParameters, Problem, pageOf, parseRequest, webhookListQuery } from "./problem.ts"

const longestDelayMs = 60_000
/** Delay long enough for the notice before it to have arrived. */
const afterTheOtherMs = 500

/** The list of a notice, which also says where it is sent: webhooks of other lists than Pix are the account's, not the key's. */
const lists = { pix: { suffix: "/pix" }, recs: { suffix: "/rec" }, cobsr: { suffix: "/cobr" } } as const

type OwedNotice = { occasion: Occasion; now: number; dueAt?: number; list?: keyof typeof lists }

/** Stores the notice in the write that it reports: it is owed until delivered, unless a fault changes that. */
export function oweNotice(bank: Bank, pix: object, { occasion, now, dueAt = now, list = "pix" }: OwedNotice): void {
  const receiverKey = list === "pix" ? bank.account.receiverKey : list
  if (!bank.faults.current().webhooksAtivos || bank.webhooks.find(receiverKey) === undefined) return
  const strike = (kind: Parameters<typeof bank.faultRules.strike>[0]) => bank.faultRules.strike(kind, occasion)

  const reported = strike("horario-local") === undefined ? pix : withLocalTimes(pix)
  const body = JSON.stringify(strike("webhook-lista") === undefined ? { [list]: [reported] } : [reported])
  const suffix = strike("webhook-sem-sufixo") === undefined ? lists[list].suffix : ""
  const notice = { receiverKey, body, suffix, now, dueAt: dueAt + (strike("webhook-atrasado") ?? 0) }

  if (strike("webhook-perdido") !== undefined)
    return bank.webhooks.owe({ ...notice, lostBecause: "perdido de propósito" })
  if (strike("webhook-fora-de-ordem") !== undefined) {
    return bank.webhooks.owe({ ...notice, heldFor: heldNameOf(bank, occasion), dueAt: notice.dueAt + longestDelayMs })
  }
  const times = 1 + (strike("webhook-repetido") ?? 0)
  for (let time = 0; time < times; time++) bank.webhooks.owe(notice)
  for (const name of ["*", ...occasion.names]) bank.webhooks.releaseHeld(name, notice.dueAt + afterTheOtherMs)
}

/** The name of the notice that this one waits for: the fault's target, or any. */
function heldNameOf(bank: Bank, { names }: Occasion): string {
  const rule = bank.faultRules.all().find(({ tipo, alvo }) => tipo === "webhook-fora-de-ordem" && names.has(alvo ?? ""))
  return rule?.alvo ?? "*"
}

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
    const webhooks = bank.webhooks
      .between(query.inicio ?? 0, query.fim ?? Number.MAX_SAFE_INTEGER)
      .filter(({ receiverKey }) => receiverKey === bank.account.receiverKey)
    const { limit, offset } = pageOf(query)
    return {
      parametros: listParameters(query, webhooks.length),
      webhooks: webhooks.slice(offset, offset + limit).map(toWebhook),
    }
  })
}

/** The webhooks of recurrences and of their debits: one each for the whole account. */
export function automaticWebhookRoutes(app: FastifyInstance, bank: Bank): void {
  for (const [path, list] of [
    ["webhookrec", "recs"],
    ["webhookcobr", "cobsr"],
  ] as const) {
    app.put(`/${path}`, { config: { scope: `${path}.write` } }, async (request, reply) => {
      const { webhookUrl } = parseRequest(request.body, { schema: webhookRequest, ...operation })
      await bank.books.write(() =>
        bank.webhooks.register({ receiverKey: list, url: webhookUrl, createdAt: bank.clock.now() }),
      )
      bank.delivery.wake()
      return reply.send()
    })
    app.get(`/${path}`, { config: { scope: `${path}.read` } }, async () => {
      const webhook = bank.webhooks.find(list)
      if (webhook === undefined) throw webhookNotFound()
      return { webhookUrl: webhook.url, criacao: new Date(webhook.createdAt).toISOString() }
    })
    app.delete(`/${path}`, { config: { scope: `${path}.write` } }, async (_request, reply) => {
      if (!(await bank.books.write(() => bank.webhooks.remove(list)))) throw webhookNotFound()
      return reply.code(204).send()
    })
  }
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
