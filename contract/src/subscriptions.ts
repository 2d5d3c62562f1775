import * as z from "zod/mini"
import { createAmount, DESCRIPTION_MAX, descriptionTooLong } from "./charge-pages.ts"
import { customerBody } from "./customers.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import {
  day,
  documentOrNothing,
  emailOrNothing,
  id,
  isoDateTime,
  optionalLines,
  partOfList,
  requiredLine,
  searchQuery,
  success,
  successWithResults,
  text,
  wholeNumberQuery,
} from "./fields.ts"
import * as heads from "./heads.ts"
import {
  calendarDay,
  chargedCustomer,
  daysAfterDue,
  discountView,
  fineView,
  interestView,
  invoiceView,
  lateness,
  namesOneCustomer,
  termsWarning,
} from "./invoices.ts"
import { automaticView, ownDebitView } from "./mandates.ts"
import {
  MOST_CYCLES,
  mostLeadDays,
  planStatuses,
  SUBSCRIPTION_TITLE_MAX,
  type SubscriptionPeriod,
  subscriptionMethods,
  subscriptionPeriods,
  subscriptionStatuses,
} from "./vocabulary/subscriptions.ts"
import { managers } from "./vocabulary/team.ts"

const tag = "Assinaturas"

const title = requiredLine(
  SUBSCRIPTION_TITLE_MAX,
  "Informe o nome da assinatura",
  `O nome deve ter no máximo ${SUBSCRIPTION_TITLE_MAX} caracteres`,
)
const period = z.enum(subscriptionPeriods, "Use weekly, monthly, quarterly, half_yearly ou yearly.")
const cyclesOutOfRange = `Informe de 1 a ${MOST_CYCLES} cobranças`
const cycles = z.int(cyclesOutOfRange).check(z.gte(1, cyclesOutOfRange), z.lte(MOST_CYCLES, cyclesOutOfRange))
const leadDaysOutOfRange = "Informe de 0 a 60 dias de antecedência"
const leadDays = z.int(leadDaysOutOfRange).check(z.gte(0, leadDaysOutOfRange), z.lte(60, leadDaysOutOfRange))
const endsOn = calendarDay("Informe até quando vai a assinatura")

const leadsWithinPeriod = z.refine<{ period: SubscriptionPeriod; leadDays?: number | null | undefined }>(
  ({ period, leadDays }) => (leadDays ?? 0) <= mostLeadDays[period],
  { path: ["leadDays"], error: "A cobrança não pode sair antes do vencimento anterior" },
)
const endsOneWay = z.refine<{ endsOn?: string | null | undefined; cycles?: number | null | undefined }>(
  ({ endsOn, cycles }) => !(endsOn && cycles),
  { path: ["endsOn"], error: "Escolha uma data final ou um número de cobranças, não os dois" },
)
const endsAfterFirst = z.refine<{ firstDueDate: string; endsOn?: string | null | undefined }>(
  ({ firstDueDate, endsOn }) => !endsOn || endsOn >= firstDueDate,
  { path: ["endsOn"], error: "A data final não pode ser anterior ao primeiro vencimento" },
)

const debitsFixedAmounts = z.refine<{
  method?: string | undefined
  fine?: unknown
  interest?: unknown
  discounts?: readonly unknown[] | null | undefined
}>(
  ({ method, fine, interest, discounts }) =>
    method !== "automatic" || (!fine && !interest && (discounts ?? []).length === 0),
  {
    path: ["method"],
    error: "Com débito automático não há multa, juros nem desconto: o valor é sempre o autorizado.",
  },
)

export const createSubscriptionBody = z
  .object({
    customerId: z.nullish(z.string("Informe o cliente")),
    customer: z.nullish(customerBody),
    title,
    amount: createAmount,
    period,
    /** Later ones are on the same day, or the last one of a shorter month. */
    firstDueDate: calendarDay("Informe o primeiro vencimento"),
    /** No cycle is due after it. */
    endsOn: z.nullish(endsOn),
    /** So many are charged; paused ones don't count. */
    cycles: z.nullish(cycles),
    /** 10, or 6 a week, when absent. */
    leadDays: z.nullish(leadDays),
    daysAfterDue: z.nullish(daysAfterDue),
    /** `until` is of the first cycle: in others a discount ends as many days before the due day. */
    ...lateness,
    method: z._default(z.enum(subscriptionMethods, "Use invoice ou automatic."), "invoice"),
  })
  .check(namesOneCustomer, endsOneWay, endsAfterFirst, leadsWithinPeriod, debitsFixedAmounts)
export type CreateSubscriptionBody = z.infer<typeof createSubscriptionBody>

/** For cycles that are not issued yet. Missing parts stay; null removes. */
export const updateSubscriptionBody = z
  .object({
    title: z.optional(title),
    amount: z.optional(createAmount),
    endsOn: z.nullish(endsOn),
    cycles: z.nullish(cycles),
    leadDays: z.optional(leadDays),
    daysAfterDue: z.optional(daysAfterDue),
    ...lateness,
  })
  .check(endsOneWay)
export type UpdateSubscriptionBody = z.infer<typeof updateSubscriptionBody>

const charges = { amount: z.number(), period: z.enum(subscriptionPeriods) }
const latenessView = {
  daysAfterDue: z.number(),
  fine: z.nullable(fineView),
  interest: z.nullable(interestView),
}

export const subscriptionView = z.object({
  _id: id,
  status: z.enum(subscriptionStatuses),
  title: z.string(),
  customer: chargedCustomer,
  /** The plan by whose page the customer subscribed; null of others. */
  planId: z.nullable(id),
  method: z.enum(subscriptionMethods),
  ...charges,
  firstDueDate: day,
  endsOn: z.nullable(day),
  cycles: z.nullable(z.number()),
  leadDays: z.number(),
  ...latenessView,
  discounts: z.array(discountView),
  /** How many cycles were charged so far. */
  issued: z.number(),
  /** The next cycle's that is not charged yet; null when none comes, or while it is paused. */
  nextDueDate: z.nullable(day),
  /** The customer's own page. */
  link: z.string(),
  warnings: z.array(termsWarning),
  pausedAt: z.nullable(isoDateTime),
  /** When it was completed or cancelled. */
  endedAt: z.nullable(isoDateTime),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type SubscriptionView = z.infer<typeof subscriptionView>

const cycleView = z.object({
  number: z.number(),
  /** Its invoice may be due later, where it came late or was changed. */
  dueDate: day,
  invoice: invoiceView,
  /** Its debit by Pix Automático; null where there is none, and the customer pays by the link. */
  debit: z.nullable(ownDebitView),
})
export type CycleView = z.infer<typeof cycleView>

export const subscriptionsSummary = z.object({
  /** The sum that live ones which aren't paused bring a month. */
  mrr: z.number(),
  active: z.number(),
  pastDue: z.number(),
  /** Today's sum of their overdue invoices. */
  overdue: z.number(),
  /** Those that were cancelled in São Paulo's month, of those that lived when it began. */
  churn: z.object({ cancelled: z.number(), atStart: z.number(), percent: z.number() }),
})
export type SubscriptionsSummary = z.infer<typeof subscriptionsSummary>

const params = z.object({ id: z.string() })
const oneSubscription = success(z.object({ subscription: subscriptionView }))

export const createSubscriptionEndpoint = defineEndpoint("createSubscription", heads.createSubscription, {
  audience: "seller",
  roles: managers,
  scope: "subscriptions:write",
  isIdempotent: true,
  tag,
  summary: "Cobra um cliente de novo a cada período; a primeira cobrança sai `leadDays` antes do primeiro vencimento",
  body: createSubscriptionBody,
  reply: { status: 201, schema: oneSubscription },
})

export const listSubscriptionsEndpoint = defineEndpoint("listSubscriptions", heads.listSubscriptions, {
  audience: "seller",
  roles: managers,
  whileFrozen: true,
  scope: "subscriptions:read",
  tag,
  summary: "As assinaturas, as mais novas primeiro",
  query: z.object({
    ...partOfList(50),
    status: z.optional(z.enum(subscriptionStatuses, "Status desconhecido.")),
    customerId: z.optional(z.uuid("Cliente desconhecido.")),
    planId: z.optional(z.uuid("Plano desconhecido.")),
    search: searchQuery(),
  }),
  reply: {
    status: 200,
    schema: successWithResults({
      subscriptions: z.array(subscriptionView),
      /** The authorisations of those that are debited by Pix Automático. */
      automatic: z.array(automaticView),
      /** Whether the seller may ask customers for authorisations. */
      automaticPix: z.boolean(),
      /** All subscriptions, whatever the filter and the page. */
      summary: subscriptionsSummary,
    }),
  },
})

export const getSubscriptionEndpoint = defineEndpoint("getSubscription", heads.getSubscription, {
  audience: "seller",
  roles: managers,
  whileFrozen: true,
  scope: "subscriptions:read",
  tag,
  summary: "Uma assinatura",
  params,
  reply: {
    status: 200,
    schema: success(
      z.object({
        subscription: subscriptionView,
        /** Null where no authorisation was asked for. */
        automatic: z.nullable(automaticView),
        /** Whether the seller may ask customers for authorisations. */
        automaticPix: z.boolean(),
      }),
    ),
  },
})

export const updateSubscriptionEndpoint = defineEndpoint("updateSubscription", heads.updateSubscription, {
  audience: "seller",
  roles: managers,
  scope: "subscriptions:write",
  tag,
  summary:
    "Altera uma assinatura: vale para as cobranças que ainda não saíram, e o cliente é avisado por e-mail de um valor novo",
  params,
  body: updateSubscriptionBody,
  reply: { status: 200, schema: oneSubscription },
})

/** Charged cycles stay to be paid, unless the seller wants otherwise. */
const endOpenBody = z.prefault(
  z.object({ cancelOpenInvoices: z._default(z.boolean("Deve ser verdadeiro ou falso."), false) }),
  {},
)

export const pauseSubscriptionEndpoint = defineEndpoint("pauseSubscription", heads.pauseSubscription, {
  audience: "seller",
  roles: managers,
  scope: "subscriptions:write",
  tag,
  summary: "Pausa uma assinatura: vencimentos durante a pausa não são cobrados, nem depois",
  params,
  body: endOpenBody,
  reply: { status: 200, schema: oneSubscription },
})

export const resumeSubscriptionEndpoint = defineEndpoint("resumeSubscription", heads.resumeSubscription, {
  audience: "seller",
  roles: managers,
  scope: "subscriptions:write",
  tag,
  summary: "Retoma uma assinatura pausada, a partir do próximo vencimento",
  params,
  reply: { status: 200, schema: oneSubscription },
})

export const cancelSubscriptionEndpoint = defineEndpoint("cancelSubscription", heads.cancelSubscription, {
  audience: "seller",
  roles: managers,
  scope: "subscriptions:write",
  tag,
  summary:
    "Cancela uma assinatura (irreversível). O que já foi cobrado continua a ser pago; com `cancelOpenInvoices`, é cancelado também",
  params,
  body: endOpenBody,
  reply: { status: 200, schema: oneSubscription },
})

export const listCyclesEndpoint = defineEndpoint("listCycles", heads.listCycles, {
  audience: "seller",
  roles: managers,
  whileFrozen: true,
  scope: "subscriptions:read",
  tag,
  summary: "As cobranças de uma assinatura, a última primeiro; `before` é o número de um ciclo",
  params,
  query: z.object({
    limit: wholeNumberQuery(50, 100),
    before: wholeNumberQuery(1_000_000, 1_000_000),
  }),
  reply: { status: 200, schema: success(z.object({ cycles: z.array(cycleView) })) },
})

const description = optionalLines(DESCRIPTION_MAX, descriptionTooLong)
const { discounts: _until, ...latenessOfPlan } = lateness

export const createPlanBody = z
  .object({
    title,
    description,
    /** Names its public page; made of the title when absent. */
    slug: z.nullish(text(SUBSCRIPTION_TITLE_MAX, "O endereço deve ter no máximo 100 caracteres").check(z.trim())),
    amount: createAmount,
    period,
    cycles: z.nullish(cycles),
    leadDays: z.nullish(leadDays),
    daysAfterDue: z.nullish(daysAfterDue),
    ...latenessOfPlan,
  })
  .check(leadsWithinPeriod)
export type CreatePlanBody = z.infer<typeof createPlanBody>

/** For later subscribers. Missing parts stay; null removes. */
export const updatePlanBody = z.object({
  title: z.optional(title),
  description: z.optional(description),
  amount: z.optional(createAmount),
  cycles: z.nullish(cycles),
  leadDays: z.optional(leadDays),
  daysAfterDue: z.optional(daysAfterDue),
  ...latenessOfPlan,
  /** An archived one takes no subscribers; who subscribed goes on. */
  status: z.optional(z.enum(planStatuses, "Status desconhecido.")),
})
export type UpdatePlanBody = z.infer<typeof updatePlanBody>

/** The form of a plan's page. */
export const subscriberBody = z.object({
  name: customerBody.shape.name,
  document: z.prefault(documentOrNothing().check(z.minLength(1, "CPF ou CNPJ é obrigatório")), ""),
  email: z.prefault(emailOrNothing().check(z.minLength(1, "E-mail é obrigatório")), ""),
})

export const planView = z.object({
  _id: id,
  status: z.enum(planStatuses),
  title: z.string(),
  description: z.string(),
  slug: z.string(),
  /** The public page on which customers subscribe. */
  link: z.string(),
  ...charges,
  cycles: z.nullable(z.number()),
  leadDays: z.number(),
  ...latenessView,
  /** Live ones. */
  subscriptions: z.number(),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type PlanView = z.infer<typeof planView>

const onePlan = success(z.object({ plan: planView }))

export const createPlanEndpoint = defineEndpoint("createPlan", heads.createPlan, {
  audience: "seller",
  roles: managers,
  scope: "subscriptions:write",
  isIdempotent: true,
  tag,
  summary: "Cria um plano, com uma página em que o próprio cliente assina",
  body: createPlanBody,
  reply: { status: 201, schema: onePlan },
})

export const listPlansEndpoint = defineEndpoint("listPlans", heads.listPlans, {
  audience: "seller",
  roles: managers,
  whileFrozen: true,
  scope: "subscriptions:read",
  tag,
  summary: "Os planos, os mais novos primeiro",
  query: z.object({
    ...partOfList(50),
    status: z.optional(z.enum(planStatuses, "Status desconhecido.")),
  }),
  reply: { status: 200, schema: successWithResults({ plans: z.array(planView) }) },
})

export const updatePlanEndpoint = defineEndpoint("updatePlan", heads.updatePlan, {
  audience: "seller",
  roles: managers,
  scope: "subscriptions:write",
  tag,
  summary: "Altera um plano para quem assinar depois; `status: archived` fecha a página",
  params,
  body: updatePlanBody,
  reply: { status: 200, schema: onePlan },
})
