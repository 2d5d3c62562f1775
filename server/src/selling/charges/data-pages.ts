import { randomBytes } from "node:crypto"
import { customerInfoBody } from "@tilinta/contract/payments"
import { payerFieldLabels, type SentField, sentFields } from "@tilinta/contract/vocabulary/payer-data"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { z } from "zod/mini"
import type { Db } from "#db/transaction"
import { statusOf } from "#http/errors"
import { isForeignForm, readOnlyForms } from "#http/form-body"
import { noticePage } from "#http/notice-page"
import { limitCallers } from "#http/rate-limits"
import { noncePolicy } from "#http/security-headers"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { escapeHtml } from "#kit/html"
import { lastOnes, maskedEmail } from "#kit/log"
import { momentText } from "#platform/mails/mail-content"
import { readPlatform } from "#platform/settings/reads"
import type { PayerData } from "./rules.ts"

type Sent = z.infer<typeof customerInfoBody>
type Call = FastifyRequest<{ Params: { id: string }; Querystring: { k?: unknown; done?: unknown } }>
type FormCall = FastifyRequest<{ Params: { id: string }; Querystring: { k?: unknown; done?: unknown }; Body: Sent }>

/** The data that are held of a person, and where. */
interface HeldData {
  data: PayerData
  erasedAt: Date | null
  /** When they asked for the deletion that waits for something else to end. */
  requestedAt: Date | null
  /** Sentences around the data. */
  words: { of: string; none: string; kept: string; until: string | null; stays: string }
  back: { path: string; label: string }
}

interface DataPages {
  /** The id of what the data belong to follows. */
  path: string
  title: string
  outcomes: Readonly<Record<Outcome, string>>
  /** Throws for whoever may not see them. `token` is empty without one. */
  admit(id: string, token: string): void
  read(id: string, token: string): Promise<HeldData>
  correct(id: string, address: string, sent: Sent): Promise<void>
  /** False when something is open, after which a job erases them. */
  erase(id: string, address: string): Promise<boolean>
}

type Outcome = "corrected" | "erased" | "noted"

const maxBytes = 4_096

/** Pages on which people see, correct and delete their data, for whoever holds the link. They work without script. */
export function serveDataPages(
  scope: FastifyInstance,
  deps: { db: Db; clock: Clock; payersUrl: string },
  pages: DataPages,
): void {
  readOnlyForms(scope)
  limitCallers(scope, deps)
  const path = `${pages.path}/:id`

  scope.get(path, async (request: Call, reply) => sendPage(request, reply, null))

  scope.post(
    `${path}/correct`,
    { bodyLimit: maxBytes, schema: { body: customerInfoBody } },
    (request: FormCall, reply) =>
      act(request, reply, async (id, address) => {
        await pages.correct(id, address, request.body)
        return "corrected"
      }),
  )

  scope.post(`${path}/erase`, { bodyLimit: maxBytes }, (request: Call, reply) =>
    act(request, reply, async (id, address) => ((await pages.erase(id, address)) ? "erased" : "noted")),
  )

  async function act(
    request: Call,
    reply: FastifyReply,
    work: (id: string, address: string) => Promise<Outcome>,
  ): Promise<FastifyReply> {
    const token = tokenOf(request)
    if (isForeignForm(request, deps.payersUrl)) throw new DomainError("forbidden")
    try {
      const done = await work(request.params.id, request.ip)
      return await reply
        .header("cache-control", "no-store")
        .redirect(urlOf(request.params.id, "", { ...(token && { k: token }), done }), 303)
    } catch (error) {
      if (error instanceof DomainError && shownCodes.has(error.code)) return sendPage(request, reply, error)
      throw error
    }
  }

  function urlOf(id: string, verb: string, query: Record<string, string>): string {
    const search = new URLSearchParams(query).toString()
    return `${pages.path}/${encodeURIComponent(id)}${verb}${search && `?${search}`}`
  }

  function tokenOf({ params: { id }, query: { k } }: Call): string {
    const token = typeof k === "string" ? k : ""
    pages.admit(id, token)
    return token
  }

  async function sendPage(request: Call, reply: FastifyReply, failure: DomainError | null): Promise<FastifyReply> {
    const token = tokenOf(request)
    const { id } = request.params
    const [held, platform] = await Promise.all([pages.read(id, token), readPlatform(deps.db)])
    const { done } = request.query
    const isDone = failure === null && typeof done === "string" && Object.hasOwn(pages.outcomes, done)
    const html = pageHtml({
      held,
      supportEmail: platform.supportEmail,
      outcome: isDone ? pages.outcomes[done as Outcome] : null,
      problem: failure === null ? null : problemOf(failure),
      actionOf: (verb) => urlOf(id, verb, token === "" ? {} : { k: token }),
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
      .send(noticePage({ platformName: platform.name, title: pages.title, html, nonce }))
  }
}

const shownCodes = new Set(["validation_failed", "too_many_requests"])

function problemOf({ shownMessage: message, errors = [] }: DomainError) {
  const field = sentFields.find((name) => errors.some(({ path: at }) => at.endsWith(name))) ?? null
  return { field, message }
}

interface Facts {
  held: HeldData
  supportEmail: string
  outcome: string | null
  /** A field that was refused, or a failure of the whole. */
  problem: { field: SentField | null; message: string } | null
  actionOf(verb: "/correct" | "/erase"): string
}

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
function pageHtml(facts: Facts): string {
  const { held, outcome, problem, supportEmail } = facts
  const { words, back } = held
  const fields = sentFields.filter((field) => held.data[field] !== null)
  const texts = [
    outcome === null ? "" : `<p class="warning" role="status">${escapeHtml(outcome)}</p>`,
    problem === null || problem.field !== null
      ? ""
      : `<p class="warning" role="alert">${escapeHtml(problem.message)}</p>`,
    `<p>${escapeHtml(words.of)}</p>`,
    fields.length === 0 ? noneHtml(held) : heldHtml(facts, fields),
    fields.length === 0 || words.until === null ? "" : `<p class="small">${escapeHtml(words.until)}</p>`,
    `<p class="small">${escapeHtml(words.stays)}</p>`,
    `<p class="small">Dúvidas: <a class="link" href="mailto:${escapeHtml(supportEmail)}">${escapeHtml(supportEmail)}</a> · <a class="link" href="/privacidade">Privacidade</a></p>`,
    `<p><a class="link" href="${escapeHtml(back.path)}">${escapeHtml(back.label)}</a></p>`,
  ]
  return texts.filter((text) => text !== "").join("\n")
}

function noneHtml({ erasedAt, words }: HeldData): string {
  const when = erasedAt === null ? "" : ` Foram apagados em ${momentText(erasedAt.toISOString())}.`
  return `<p>${escapeHtml(words.none)}${when}</p>`
}

function heldHtml({ held, problem, actionOf }: Facts, fields: readonly SentField[]): string {
  const rows = fields.map((field) => fieldHtml(field, held.data[field] ?? "", problem)).join("\n")
  const waiting =
    held.requestedAt === null
      ? `<form method="post" action="${escapeHtml(actionOf("/erase"))}"><button class="alarm" type="submit">Apagar os meus dados</button></form>`
      : `<p class="warning">Você pediu em ${momentText(held.requestedAt.toISOString())} que apaguemos. Esperamos o fim do que está em aberto.</p>`
  return `<h2>O que guardamos</h2>
<p>${escapeHtml(held.words.kept)} Escreva só no campo que quer corrigir.</p>
<form method="post" action="${escapeHtml(actionOf("/correct"))}" novalidate>
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
