import { randomBytes } from "node:crypto"
import { customerInfoBody } from "@tilinta/contract/api/payments-endpoints"
import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import { payerFields } from "@tilinta/contract/vocabulary/payer-data"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { z } from "zod/mini"
import { getUser } from "#domain/people/users/get-user"
import { readPlatform } from "#domain/platform/settings/read-platform"
import { readPayerDataDays } from "#domain/platform/settings/read-setting"
import { correctPayerData, erasePayerData, readPayerData } from "#domain/selling/charges/payer-rights"
import { noncePolicy } from "#http/content-security-policy"
import type { HttpDeps } from "#http/deps"
import { statusOf } from "#http/error-reply"
import { DomainError } from "#kit/domain-error"
import { isForeignForm } from "./foreign-form.ts"
import { readOnlyForms } from "./form-body.ts"
import { limitCallers } from "./limit-callers.ts"
import { noticePage } from "./notice-page.ts"
import { type Outcome, outcomes, payerDataHtml, payerDataPath } from "./payer-data-page.ts"

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
      getUser(deps.db, held.receiverId),
      readPlatform(deps.db),
      readPayerDataDays(deps.db),
    ])
    const { done } = request.query
    const html = payerDataHtml({
      ...{ transactionId, held, receiver, days, token, supportEmail: platform.supportEmail },
      proofPath: `/payment/success?${new URLSearchParams({ transactionId, k: token }).toString()}`,
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
  const field = payerFields.find((name) => errors.some(({ path: at }) => at.endsWith(name))) ?? null
  return { field, message }
}
