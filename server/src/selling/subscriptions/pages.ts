import { randomBytes } from "node:crypto"
import { subscriberBody } from "@tilinta/contract/subscriptions"
import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import { isLive } from "@tilinta/contract/vocabulary/subscriptions"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { isForeignForm, readOnlyForms } from "#http/form-body"
import { noticePage, plainPageHeaders, sendPlainPage } from "#http/notice-page"
import { createTokenBuckets, limitCallers } from "#http/rate-limits"
import { dueToday } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { networkOf } from "#kit/outside"
import { findShop, readReceiver } from "#people/shops/reads"
import { readPlatform } from "#platform/settings/reads"
import { checkoutPath } from "#selling/charge-pages/rules"
import { isStorableLink } from "#selling/charge-pages/views"
import { customerFieldsFrom } from "#selling/customers/rules"
import { serveCustomerData } from "#selling/invoices/customer-data-pages"
import { offerOfPlans } from "#selling/mandates/manage"
import type { HttpDeps } from "#start/deps"
import { ownPageHtml, type Problems, planPageHtml, type Typed } from "./html-pages.ts"
import { findSubscriptionOfLink, listCycles } from "./reads.ts"
import { type Plan, planPath, type Subscription, subscriptionPath } from "./rules.ts"
import { cancelByCustomer, findOpenPlan, subscribe } from "./subscribe.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "payersUrl">
type PlanCall = FastifyRequest<{ Params: { slug: string }; Body: Typed | undefined }>
type OwnCall = FastifyRequest<{ Params: { link: string }; Querystring: { feito?: unknown } }>

const maxBytes = 4_096

/** A gym's desk signs up its members behind one address; a script is stopped however many addresses it has. */
const perAddress = { burst: 30, perSecond: 1 / 60, keys: 20_000 }
const perPlan = { burst: 200, perSecond: 1 / 5, keys: 20_000 }

const CYCLES_SHOWN = 12

/** The page of a plan, and the customer's own of a subscription. Both work without script. */
export function subscriberPages(scope: FastifyInstance, deps: HttpDeps): void {
  const { db, clock, payersUrl } = deps
  const automatic = offerOfPlans(deps)
  readOnlyForms(scope)
  limitCallers(scope, deps)
  const addresses = createTokenBuckets(perAddress, clock)
  const plans = createTokenBuckets(perPlan, clock)
  const planOf = async (slug: string) => (isStorableLink(slug) ? findOpenPlan(db, slug) : null)

  scope.get(planPath({ slug: ":slug" }), async (request: PlanCall, reply) => {
    const plan = await planOf(request.params.slug)
    return plan === null ? sendNoPlan(reply) : sendPlan(reply, plan, {}, {})
  })

  scope.post(planPath({ slug: ":slug" }), { bodyLimit: maxBytes }, async (request: PlanCall, reply) => {
    if (isForeignForm(request, payersUrl)) throw new DomainError("forbidden")
    const plan = await planOf(request.params.slug)
    if (plan === null) return sendNoPlan(reply)
    const typed = typedIn(request.body)
    const parsed = subscriberBody.safeParse(typed)
    if (!parsed.success) return sendPlan(reply, plan, typed, problemsOf(parsed.error.issues))
    const retryAfterSeconds = Math.max(
      addresses.takeFrom(addresses.of(networkOf(request.ip))),
      plans.takeFrom(plans.of(plan.id)),
    )
    if (retryAfterSeconds > 0) return sendPlan(reply, plan, typed, { whole: errorMessages.too_many_requests })
    const { payAt } = await subscribe(deps, plan.slug, customerFieldsFrom(parsed.data))
    if (payAt === null) return sendKnown(reply)
    const isWanted = request.body?.method === "automatic" && (await automatic.isOffered(plan))
    const authoriseAt = isWanted ? await automatic.begin(payAt) : null
    if (authoriseAt !== null) return reply.header("cache-control", "no-store").redirect(authoriseAt, 303)
    return reply.header("cache-control", "no-store").redirect(checkoutPath(payAt), 303)
  })

  scope.get(subscriptionPath({ uniqueLink: ":link" }), async (request: OwnCall, reply) => {
    const subscription = await ownOf(db, request.params.link)
    if (subscription === null) return sendNoSubscription(reply)
    return sendOwn(reply, subscription)
  })

  scope.post(
    `${subscriptionPath({ uniqueLink: ":link" })}/cancelar`,
    { bodyLimit: maxBytes },
    async (request: OwnCall, reply) => {
      if (isForeignForm(request, payersUrl)) throw new DomainError("forbidden")
      const { link } = request.params
      if ((await ownOf(db, link)) === null) return sendNoSubscription(reply)
      await cancelByCustomer(deps, link)
      return reply.header("cache-control", "no-store").redirect(subscriptionPath({ uniqueLink: link }), 303)
    },
  )

  async function sendPlan(reply: FastifyReply, plan: Plan, typed: Typed, problems: Problems): Promise<FastifyReply> {
    const receiver = await readReceiver(db, { sellerId: plan.sellerId, paidAt: null })
    const hasProblem = Object.keys(problems).length > 0
    return send(reply, {
      title: plan.title,
      html: planPageHtml({
        plan,
        receiver: receiver.name,
        typed,
        problems,
        isAutomatic: await automatic.isOffered(plan),
      }),
      status: hasProblem ? 422 : 200,
    })
  }

  async function sendOwn(reply: FastifyReply, subscription: Subscription): Promise<FastifyReply> {
    const { id, sellerId, title } = subscription
    const [cycles, receiver, shop] = await Promise.all([
      listCycles(db, id, { before: 1_000_000, limit: CYCLES_SHOWN }),
      readReceiver(db, { sellerId, paidAt: null }),
      findShop(db, sellerId),
    ])
    const today = dueToday(clock)
    const facts = { subscription, cycles, today, receiver: receiver.name, shop, mayCancel: isLive(subscription.status) }
    return send(reply, { title, html: ownPageHtml(facts), status: 200 })
  }

  async function send(
    reply: FastifyReply,
    { title, html, status }: { title: string; html: string; status: number },
  ): Promise<FastifyReply> {
    const { name: platformName } = await readPlatform(db)
    const nonce = randomBytes(16).toString("base64")
    const page = noticePage({ platformName, title, html, nonce, style: ownStyle })
    return reply.code(status).headers(plainPageHeaders(nonce)).type("text/html; charset=utf-8").send(page)
  }

  async function sendWords(reply: FastifyReply, words: { title: string; text: string; status: number }) {
    const { name: platformName } = await readPlatform(db)
    return sendPlainPage(reply, { platformName, below: "", ...words })
  }

  function sendNoPlan(reply: FastifyReply): Promise<FastifyReply> {
    const text = "O endereço está errado, ou este plano não recebe mais assinaturas. Fale com quem enviou o link."
    return sendWords(reply, { title: "Plano não encontrado", text, status: 404 })
  }

  function sendNoSubscription(reply: FastifyReply): Promise<FastifyReply> {
    const text = "Confira se o link está completo, ou peça um novo a quem cobra."
    return sendWords(reply, { title: "Assinatura não encontrada", text, status: 404 })
  }

  /** The form may be somebody else's, so the link goes to the address that is known, and nothing tells whether there is one. */
  function sendKnown(reply: FastifyReply): Promise<FastifyReply> {
    const text =
      "Se há um e-mail no seu cadastro, o link da assinatura foi para ele. Se não chegar, fale com quem cobra."
    return sendWords(reply, { title: "Confira o seu e-mail", text, status: 200 })
  }
}

/** Customers correct their data by the link of a subscription. */
export function subscriberDataRoutes(scope: FastifyInstance, deps: Deps): void {
  serveCustomerData(scope, deps, {
    path: "/assinatura/dados",
    back: (uniqueLink) => ({ path: subscriptionPath({ uniqueLink }), label: "Voltar à assinatura" }),
    async customerOf(link) {
      const subscription = await ownOf(deps.db, link)
      if (subscription === null) throw new DomainError("subscription_not_found")
      return { id: subscription.customer.id, sellerId: subscription.sellerId }
    },
  })
}

async function ownOf(db: Db, link: string): Promise<Subscription | null> {
  return isStorableLink(link) ? findSubscriptionOfLink(db, link) : null
}

const most = 400

function typedIn(body: Typed | undefined): Typed {
  const part = (value: unknown) => (typeof value === "string" ? value.slice(0, most) : "")
  return { name: part(body?.name), document: part(body?.document), email: part(body?.email) }
}

function problemsOf(issues: readonly { path: PropertyKey[]; message: string }[]): Problems {
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]).toReversed())
}

const ownStyle = `
  .second { border: 1px solid #4b5f66; background: none; color: #eef4f3 }
  .price { margin: 0 0 1rem; color: #eef4f3; font-size: 1.5rem; font-weight: 700; font-variant-numeric: tabular-nums }
  .about { white-space: pre-line; overflow-wrap: anywhere }
  dl { display: grid; gap: .5rem; margin: 0 0 1rem }
  dl div { display: flex; justify-content: space-between; gap: 1rem }
  dt { color: #8fa3a3 }
  dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums }
  .cycles { list-style: none; padding: 0 }
  .cycles li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem; margin: 0; padding: .5rem 0; border-top: 1px solid #27343a; font-variant-numeric: tabular-nums }
  summary { min-height: 2.75rem; padding: .625rem 0; cursor: pointer; color: #bccac9 }
`
