import { randomBytes } from "node:crypto"
import { customerInfoBody } from "@tilinta/contract/payments"
import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import { payerFieldLabels, type SentField, sentFields } from "@tilinta/contract/vocabulary/payer-data"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { z } from "zod/mini"
import { statusOf } from "#http/errors"
import { isForeignForm, readOnlyForms } from "#http/form-body"
import { noticePage } from "#http/notice-page"
import { limitCallers } from "#http/rate-limits"
import { noncePolicy } from "#http/security-headers"
import { DomainError } from "#kit/errors"
import { escapeHtml } from "#kit/html"
import { lastOnes, maskedEmail } from "#kit/log"
import { readReceiver } from "#people/shops/reads"
import { momentText } from "#platform/mails/mail-content"
import { readDays, readPlatform } from "#platform/settings/reads"
import type { HttpDeps } from "#start/deps"
import { correctPayerData, erasePayerData, type HeldPayerData, readPayerData } from "./payer-data.ts"
import { proofPath } from "./rules.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "payerTokens" | "payersUrl">
type Sent = z.infer<typeof customerInfoBody>
type Call = FastifyRequest<{ Params: { transactionId: string }; Querystring: { k?: unknown; done?: unknown } }>
type FormCall = FastifyRequest<{
  Params: { transactionId: string }
  Querystring: { k?: unknown; done?: unknown }
  Body: Sent
}>

const path = "/payment/data/:transactionId"
const maxBytes = 4_096

/**
 * The page on which a payer sees, corrects and deletes their data: for whoever holds the payment's token, in relaxed
 * protection, too. The way there stands on the proof. It works without script.
 */
export function payerDataRoutes(scope: FastifyInstance, deps: Deps): void {
  readOnlyForms(scope)
  limitCallers(scope, deps)

  scope.get(path, async (request: Call, reply) => sendPage(request, reply, null))

  scope.post(
    `${path}/correct`,
    { bodyLimit: maxBytes, schema: { body: customerInfoBody } },
    (request: FormCall, reply) =>
      act(request, reply, async (chargeId, address) => {
        await correctPayerData(deps, { chargeId, address, sent: request.body })
        return "corrected"
      }),
  )

  scope.post(`${path}/erase`, { bodyLimit: maxBytes }, (request: Call, reply) =>
    act(request, reply, async (chargeId, address) =>
      (await erasePayerData(deps, { chargeId, address })) ? "erased" : "noted",
    ),
  )

  async function act(
    request: Call,
    reply: FastifyReply,
    work: (chargeId: string, address: string) => Promise<Outcome>,
  ): Promise<FastifyReply> {
    const token = tokenOf(request)
    if (isForeignForm(request, deps.payersUrl)) throw new DomainError("forbidden")
    try {
      const done = await work(request.params.transactionId, request.ip)
      const query = new URLSearchParams({ k: token, done })
      return await reply
        .header("cache-control", "no-store")
        .redirect(`${payerDataPath(request.params.transactionId)}?${query.toString()}`, 303)
    } catch (error) {
      if (error instanceof DomainError && shownCodes.has(error.code)) return sendPage(request, reply, error)
      throw error
    }
  }

  function tokenOf({ params: { transactionId }, query: { k } }: Call): string {
    const isHolder = typeof k === "string" && deps.payerTokens.admits(transactionId, k)
    if (!isHolder) throw new DomainError("payment_not_found")
    return k
  }

  async function sendPage(request: Call, reply: FastifyReply, failure: DomainError | null): Promise<FastifyReply> {
    const token = tokenOf(request)
    const { transactionId } = request.params
    const held = await readPayerData(deps.db, transactionId)
    const [{ name: receiver }, platform, days] = await Promise.all([
      readReceiver(deps.db, held),
      readPlatform(deps.db),
      readDays(deps.db, "PAYER_DATA_DAYS"),
    ])
    const { done } = request.query
    const html = payerDataHtml({
      transactionId,
      held,
      receiver,
      days,
      token,
      supportEmail: platform.supportEmail,
      proofPath: proofPath(transactionId, token),
      outcome: failure === null && typeof done === "string" && done in outcomes ? (done as Outcome) : null,
      problem: failure === null ? null : problemOf(failure),
    })
    const nonce = randomBytes(16).toString("base64")
    return reply
      .code(failure === null ? 200 : statusOf[failure.code])
      .headers({
        "content-security-policy": noncePolicy(nonce),
        "cache-control": "no-store",
        "x-robots-tag": "noindex",
      })
      .type("text/html; charset=utf-8")
      .send(noticePage({ platformName: platform.name, title: "Os seus dados neste pagamento", html, nonce }))
  }
}

const shownCodes = new Set(["validation_failed", "too_many_requests"])

function problemOf({ code, shownMessage, errors = [] }: DomainError) {
  const message = shownMessage ?? errorMessages[code]
  const field = sentFields.find((name) => errors.some(({ path: at }) => at.endsWith(name))) ?? null
  return { field, message }
}

interface Facts {
  transactionId: string
  held: HeldPayerData
  receiver: string
  supportEmail: string
  /** How long the data stay after the last event; null for ever. */
  days: number | null
  proofPath: string
  token: string
  outcome: Outcome | null
  /** A field that was refused, or a failure of the whole. */
  problem: { field: SentField | null; message: string } | null
}

function payerDataPath(transactionId: string): string {
  return `/payment/data/${encodeURIComponent(transactionId)}`
}

const outcomes = {
  corrected: "Pronto: os seus dados estão corrigidos, e quem recebeu foi avisado.",
  erased: "Pronto: os seus dados foram apagados, e quem recebeu foi avisado.",
  noted: "O pedido está anotado. Apagamos assim que terminar o que está em aberto sobre este pagamento.",
} as const
type Outcome = keyof typeof outcomes

/** The link is passed on, so it shows enough to recognise one's data, and nobody else's. */
const masks: Record<SentField, (value: string) => string> = {
  name: (value) =>
    value
      .split(" ")
      .map((word, at) => (at === 0 ? word : `${word.slice(0, 1)}•••`))
      .join(" "),
  email: maskedEmail,
  cpf: (value) => lastOnes(value, 2),
  cnpj: (value) => lastOnes(value, 6),
  phone: (value) => lastOnes(value, 4),
}

const inputs: Record<SentField, string> = {
  name: 'autocomplete="name"',
  email: 'type="email" autocomplete="email" inputmode="email"',
  cpf: 'inputmode="numeric" autocomplete="off"',
  cnpj: 'autocapitalize="characters" autocomplete="off"',
  phone: 'type="tel" autocomplete="tel-national"',
}

/** Markup below the title. Needs no script and no session. */
function payerDataHtml(facts: Facts): string {
  const { held, receiver, days, proofPath, outcome, problem } = facts
  const fields = sentFields.filter((field) => held.payer[field] !== null)
  const texts = [
    outcome === null ? "" : `<p class="warning" role="status">${escapeHtml(outcomes[outcome])}</p>`,
    problem === null || problem.field !== null
      ? ""
      : `<p class="warning" role="alert">${escapeHtml(problem.message)}</p>`,
    `<p>Pagamento de “${escapeHtml(held.title)}” a ${escapeHtml(receiver)}.</p>`,
    fields.length === 0 ? noneHtml(held) : heldHtml(facts, fields),
    fields.length === 0 || days === null
      ? ""
      : `<p class="small">Sem pedido, apagamos tudo ${days === 1 ? "1 dia" : `${days} dias`} depois do último acontecimento deste pagamento.</p>`,
    '<p class="small">O valor, a data e os identificadores do Pix ficam, porque a lei manda guardar, sem dizer quem pagou. O que o seu banco informou não muda por aqui.</p>',
    `<p class="small">Dúvidas: <a class="link" href="mailto:${escapeHtml(facts.supportEmail)}">${escapeHtml(facts.supportEmail)}</a> · <a class="link" href="/privacidade">Privacidade</a></p>`,
    `<p><a class="link" href="${escapeHtml(proofPath)}">Voltar ao comprovante</a></p>`,
  ]
  return texts.filter((text) => text !== "").join("\n")
}

function noneHtml({ erasedAt }: HeldPayerData): string {
  const when = erasedAt === null ? "" : ` Foram apagados em ${momentText(erasedAt.toISOString())}.`
  return `<p>Não guardamos dados seus neste pagamento.${when}</p>`
}

function heldHtml({ transactionId, held, token, problem }: Facts, fields: readonly SentField[]): string {
  const rows = fields.map((field) => fieldHtml(field, held.payer[field] ?? "", problem)).join("\n")
  const action = (verb: string) => escapeHtml(`${payerDataPath(transactionId)}/${verb}?k=${encodeURIComponent(token)}`)
  const waiting =
    held.requestedAt === null
      ? `<form method="post" action="${action("erase")}"><button class="alarm" type="submit">Apagar os meus dados</button></form>`
      : `<p class="warning">Você pediu em ${momentText(held.requestedAt.toISOString())} que apaguemos. Esperamos o fim do que está em aberto.</p>`
  return `<h2>O que guardamos</h2>
<p>Quem vendeu pediu estes dados, e só quem vendeu e nós os vemos. Escreva só no campo que quer corrigir.</p>
<form method="post" action="${action("correct")}" novalidate>
${rows}
<button type="submit">Corrigir</button>
</form>
${waiting}`
}

function fieldHtml(field: SentField, value: string, problem: Facts["problem"]): string {
  const wrong = problem !== null && problem.field === field ? problem.message : null
  const id = `payer-${field}`
  const described = wrong === null ? `${id}-now` : `${id}-now ${id}-wrong`
  return `<p class="field"><label for="${id}">${payerFieldLabels[field]}</label>
<span id="${id}-now">Hoje: ${escapeHtml(masks[field](value))}</span>
<input id="${id}" name="${field}" maxlength="200" ${inputs[field]} aria-describedby="${described}"${wrong === null ? "" : ' aria-invalid="true"'}>
${wrong === null ? "" : `<span id="${id}-wrong" class="wrong">${escapeHtml(wrong)}</span>`}</p>`
}
