import { defineExample } from "./define-endpoint.ts"
import { exampleInvoice } from "./invoices-examples.ts"
import { exampleAutomatic } from "./mandates.ts"
import {
  cancelSubscriptionEndpoint,
  createPlanEndpoint,
  createSubscriptionEndpoint,
  getSubscriptionEndpoint,
  listCyclesEndpoint,
  listPlansEndpoint,
  listSubscriptionsEndpoint,
  type PlanView,
  pauseSubscriptionEndpoint,
  resumeSubscriptionEndpoint,
  type SubscriptionView,
  updatePlanEndpoint,
  updateSubscriptionEndpoint,
} from "./subscriptions.ts"

const exampleSubscription: SubscriptionView = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  status: "active",
  title: "Mensalidade da academia",
  customer: {
    _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27",
    name: "Bruno Lima",
    document: "52998224725",
    email: "bruno@exemplo.com.br",
    phone: "",
  },
  planId: null,
  method: "invoice",
  amount: 100,
  period: "monthly",
  firstDueDate: "2030-12-10",
  endsOn: null,
  cycles: null,
  leadDays: 10,
  daysAfterDue: 30,
  fine: { type: "percent", value: 2 },
  interest: null,
  discounts: [],
  issued: 0,
  nextDueDate: "2030-12-10",
  link: "http://localhost:3000/assinatura/BFwORhkwyw9Njpar",
  warnings: [],
  pausedAt: null,
  endedAt: null,
  createdAt: "2026-11-21T12:00:00.000Z",
  updatedAt: "2026-11-21T12:00:00.000Z",
}

const examplePlan: PlanView = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  status: "active",
  title: "Plano mensal",
  description: "Musculação e aulas, quantas vezes quiser",
  slug: "plano-mensal",
  link: "http://localhost:3000/assinar/plano-mensal",
  amount: 99.9,
  period: "monthly",
  cycles: null,
  leadDays: 10,
  daysAfterDue: 30,
  fine: { type: "percent", value: 2 },
  interest: null,
  subscriptions: 0,
  createdAt: "2026-11-21T12:00:00.000Z",
  updatedAt: "2026-11-21T12:00:00.000Z",
}

const found = { id: exampleSubscription._id }
const live = ["subscription_not_found", "subscription_ended"] as const

export const subscriptionsExamples = [
  defineExample(createSubscriptionEndpoint, {
    body: {
      customer: { name: "Bruno Lima", document: "529.982.247-25", email: "bruno@exemplo.com.br" },
      title: exampleSubscription.title,
      amount: 100,
      period: "monthly",
      firstDueDate: "2030-12-10",
      fine: { type: "percent", value: 2 },
    },
    data: { subscription: exampleSubscription },
    failures: ["customer_not_found", "email_not_confirmed", "idempotency_key_reused"],
  }),
  defineExample(listSubscriptionsEndpoint, {
    query: { status: "active", limit: "10" },
    reply: {
      status: "success",
      results: 1,
      data: {
        subscriptions: [exampleSubscription],
        automatic: [exampleAutomatic],
        automaticPix: false,
        summary: { mrr: 100, active: 1, pastDue: 0, overdue: 0, churn: { cancelled: 0, atStart: 0, percent: 0 } },
      },
    },
    failures: [],
  }),
  defineExample(getSubscriptionEndpoint, {
    params: found,
    data: { subscription: exampleSubscription, automatic: null, automaticPix: false },
    failures: ["subscription_not_found"],
  }),
  defineExample(updateSubscriptionEndpoint, {
    params: found,
    body: { amount: 120 },
    data: { subscription: { ...exampleSubscription, amount: 120 } },
    failures: [...live],
  }),
  defineExample(pauseSubscriptionEndpoint, {
    params: found,
    body: { cancelOpenInvoices: false },
    data: {
      subscription: {
        ...exampleSubscription,
        status: "paused",
        nextDueDate: null,
        pausedAt: "2026-11-21T12:00:00.000Z",
      },
    },
    failures: [...live],
  }),
  defineExample(resumeSubscriptionEndpoint, {
    params: found,
    data: { subscription: exampleSubscription },
    failures: [...live],
  }),
  defineExample(cancelSubscriptionEndpoint, {
    params: found,
    body: { cancelOpenInvoices: true },
    data: {
      subscription: {
        ...exampleSubscription,
        status: "cancelled",
        nextDueDate: null,
        endedAt: "2026-11-21T12:00:00.000Z",
      },
    },
    failures: [...live],
  }),
  defineExample(listCyclesEndpoint, {
    params: found,
    query: { limit: "10" },
    data: {
      cycles: [
        {
          number: 1,
          dueDate: "2030-12-10",
          invoice: { ...exampleInvoice, subscriptionId: exampleSubscription._id, discounts: [], metadata: {} },
          debit: null,
        },
      ],
    },
    failures: ["subscription_not_found"],
  }),
  defineExample(createPlanEndpoint, {
    body: {
      title: examplePlan.title,
      description: examplePlan.description,
      amount: 99.9,
      period: "monthly",
      fine: { type: "percent", value: 2 },
    },
    data: { plan: examplePlan },
    failures: ["email_not_confirmed", "idempotency_key_reused", "plan_slug_taken"],
  }),
  defineExample(listPlansEndpoint, {
    query: { limit: "10" },
    reply: { status: "success", results: 1, data: { plans: [examplePlan] } },
    failures: [],
  }),
  defineExample(updatePlanEndpoint, {
    params: found,
    body: { amount: 109.9 },
    data: { plan: { ...examplePlan, amount: 109.9 } },
    failures: ["plan_not_found"],
  }),
]
