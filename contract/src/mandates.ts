import * as z from "zod/mini"
import { pendingFields } from "./approvals.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { day, id, isoDateTime, partOfList, requiredLines, success, successWithResults, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { calendarDay } from "./invoices.ts"
import {
  attemptKinds,
  attemptOutcomes,
  debitStatuses,
  mandateJourneys,
  mandateStatuses,
  restReasons,
  retryPolicies,
} from "./vocabulary/mandates.ts"
import { managers } from "./vocabulary/team.ts"

const tag = "Pix Automático"

export const mandateView = z.object({
  _id: id,
  subscriptionId: id,
  status: z.enum(mandateStatuses),
  /** 2: authorises only; 3: pays now and authorises; 4: pays a code of the bank's, and authorises after it. */
  journey: z.literal(mandateJourneys),
  retryPolicy: z.enum(retryPolicies),
  amount: z.number(),
  /** The first cycle that is debited. */
  startsOn: day,
  /** The customer's bank shows it with the platform's name. */
  contract: z.string(),
  /** Authorises, and in journeys 3 and 4 pays; null until the bank gave it, and once it is over. */
  pixCode: z.nullable(z.string()),
  /** An image of the code; null as it. */
  qrUrl: z.nullable(z.string()),
  /** The customer's page with the code. */
  link: z.string(),
  expiresAt: isoDateTime,
  /** Why nothing is debited until the seller goes on; null where it is. */
  restsFor: z.nullable(z.enum(restReasons)),
  /** The Central Bank's code of its end, where the bank told one. */
  endedCode: z.nullable(z.string()),
  approvedAt: z.nullable(isoDateTime),
  endedAt: z.nullable(isoDateTime),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type MandateView = z.infer<typeof mandateView>

export const debitAttemptView = z.object({
  kind: z.enum(attemptKinds),
  day,
  outcome: z.enum(attemptOutcomes),
  code: z.nullable(z.string()),
  /** Why it was not made, in words; null while it may be, and once it was. */
  text: z.nullable(z.string()),
})

export const debitView = z.object({
  _id: id,
  mandateId: id,
  invoiceId: id,
  status: z.enum(debitStatuses),
  amount: z.number(),
  dueDate: day,
  attempts: z.array(debitAttemptView),
  /** The next attempt; null where none is planned. */
  retryDate: z.nullable(day),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type DebitView = z.infer<typeof debitView>

/** With what may be done about it now. */
export const ownDebitView = z.extend(debitView, {
  /** Days on which the seller may have it tried again. */
  retryDates: z.array(day),
  /** Until then it can be called off; null where it can't. */
  cancellableUntil: z.nullable(isoDateTime),
})
export type OwnDebitView = z.infer<typeof ownDebitView>

/** The authorisation of a subscription that counts: the one that is given, else the newest. */
export const automaticView = z.object({
  mandate: mandateView,
  /** The next day that is debited; null where none is. */
  nextDebitDate: z.nullable(day),
  /** The transaction that paid the code of the authorisation; null before, and where it has none. */
  firstTransactionId: z.nullable(id),
  lastDebit: z.nullable(debitView),
  /** The one of a new price, which waits for the customer while `mandate` lives; null otherwise. */
  newer: z.nullable(mandateView),
})
export type AutomaticView = z.infer<typeof automaticView>

const params = z.object({ id: z.string() })
const oneMandate = success(z.object({ mandate: mandateView }))
const oneDebit = success(z.object({ debit: ownDebitView }))

export const createMandateBody = z.object({
  journey: z._default(z.literal(mandateJourneys, "Use 2, 3 ou 4."), 3),
  startsOn: z.nullish(calendarDay("Informe o primeiro vencimento a debitar")),
  retryPolicy: z._default(z.enum(retryPolicies, "Use none ou three_in_seven_days."), "three_in_seven_days"),
})
export type CreateMandateBody = z.input<typeof createMandateBody>

export const createMandateEndpoint = defineEndpoint("createMandate", heads.createMandate, {
  audience: "seller",
  roles: managers,
  scope: "subscriptions:write",
  isIdempotent: true,
  tag,
  summary:
    "Pede ao cliente uma autorização de Pix Automático: `pixCode` é o código com que ele autoriza (e, nas jornadas 3 e 4, paga a cobrança em aberto; na 4, com um código que vale até o fim do prazo). A que já existe vale até esta ser autorizada",
  params,
  body: createMandateBody,
  reply: { status: 201, schema: oneMandate },
})

export const getMandateEndpoint = defineEndpoint("getMandate", heads.getMandate, {
  audience: "seller",
  roles: managers,
  whileFrozen: true,
  scope: "subscriptions:read",
  tag,
  summary: "Uma autorização de Pix Automático",
  params,
  reply: { status: 200, schema: oneMandate },
})

export const cancelMandateEndpoint = defineEndpoint("cancelMandate", heads.cancelMandate, {
  audience: "seller",
  roles: managers,
  scope: "subscriptions:write",
  tag,
  summary:
    "Cancela uma autorização no banco (irreversível): os débitos que ainda dá para cancelar são cancelados, e as cobranças vão por link",
  params,
  reply: { status: 200, schema: oneMandate },
})

export const resumeMandateEndpoint = defineEndpoint("resumeMandate", heads.resumeMandate, {
  audience: "seller",
  roles: managers,
  scope: "subscriptions:write",
  tag,
  summary: "Volta a debitar por uma autorização que estava parada (`restsFor`)",
  params,
  reply: { status: 200, schema: oneMandate },
})

export const retryDebitEndpoint = defineEndpoint("retryDebit", heads.retryDebit, {
  audience: "seller",
  roles: managers,
  scope: "subscriptions:write",
  tag,
  summary:
    "Marca uma nova tentativa de um débito que não foi feito, em um dos dias de `retryDates`; o banco é avisado na véspera",
  params,
  body: z.object({ date: calendarDay("Informe o dia da nova tentativa") }),
  reply: { status: 201, schema: oneDebit },
})

export const cancelDebitEndpoint = defineEndpoint("cancelDebit", heads.cancelDebit, {
  audience: "seller",
  roles: managers,
  scope: "subscriptions:write",
  tag,
  summary: "Cancela um débito até as 21h da véspera; a cobrança fica para ser paga pelo link",
  params,
  reply: { status: 200, schema: oneDebit },
})

const adminTag = "Administração: Pix Automático"
const person = z.object({ _id: id, name: z.string() })

export const anyMandateView = z.extend(mandateView, {
  user: person,
  title: z.string(),
  /** The bank's own id. */
  idRec: z.nullable(z.string()),
})
export type AnyMandateView = z.infer<typeof anyMandateView>

const automaticSummary = z.object({
  isOn: z.boolean(),
  /** The reason why AUTOMATIC_PIX can't be on; null where it can. */
  missing: z.nullable(z.string()),
  sellers: z.array(z.extend(person, { reason: z.string(), enabledAt: isoDateTime, live: z.number() })),
  /** Debits of the last 90 days that were not made, by the bank's code. */
  failures: z.array(z.object({ code: z.string(), text: z.string(), count: z.number() })),
  /** Sent more than a day ago, and not taken by the payer's bank. */
  unanswered: z.array(z.object({ _id: id, txid: z.string(), user: z.string(), dueDate: day, createdAt: isoDateTime })),
})
export type AutomaticSummary = z.infer<typeof automaticSummary>

export const listAllMandatesEndpoint = defineEndpoint("listAllMandates", heads.listAllMandates, {
  audience: "admin",
  whileFrozen: true,
  tag: adminTag,
  summary: "As autorizações de todos os vendedores, as mais novas primeiro, e quem está habilitado",
  query: z.object({
    ...partOfList(50),
    status: z.optional(z.enum(mandateStatuses, "Status desconhecido.")),
    userId: z.optional(z.uuid("Usuário desconhecido.")),
  }),
  reply: {
    status: 200,
    schema: successWithResults({ mandates: z.array(anyMandateView), summary: automaticSummary }),
  },
})

export const cancelAnyMandateEndpoint = defineEndpoint("cancelAnyMandate", heads.cancelAnyMandate, {
  audience: "admin",
  stepUp: "always",
  tag: adminTag,
  summary: "Cancela no banco a autorização de um cliente de qualquer vendedor, com o motivo",
  params,
  body: z.object({ reason: requiredLines(500, "Escreva o motivo.") }),
  reply: { status: 200, schema: oneMandate },
})

export const setAutomaticPixEndpoint = defineEndpoint("setAutomaticPix", heads.setAutomaticPix, {
  audience: "admin",
  stepUp: "always",
  mayWait: true,
  tag: adminTag,
  summary:
    "Habilita ou desabilita o Pix Automático para um vendedor, que é avisado; habilitar pede dois administradores. Desabilitado, os débitos que ainda dá para cancelar são cancelados",
  params: z.object({ id: text(200) }),
  body: z.object({
    enabled: z.boolean("Deve ser verdadeiro ou falso."),
    reason: requiredLines(500, "Escreva o motivo."),
  }),
  reply: { status: 200, schema: success(z.object({ enabled: z.boolean(), ...pendingFields })) },
})

export const exampleMandate: MandateView = {
  _id: "0193a4c8-7c1a-7d3e-9b52-4f0d6c8e1a27",
  subscriptionId: "0193a4c5-7c1a-7d3e-9b52-4f0d6c8e1a27",
  status: "waiting",
  journey: 3,
  retryPolicy: "three_in_seven_days",
  amount: 99.9,
  startsOn: "2031-01-10",
  contract: "7K2M9QX4T8B1N5R3W6Z0",
  pixCode: null,
  qrUrl: null,
  link: "http://localhost:3000/assinatura/BFwORhkwyw9Njpar/autorizar",
  expiresAt: "2026-11-24T12:00:00.000Z",
  restsFor: null,
  endedCode: null,
  approvedAt: null,
  endedAt: null,
  createdAt: "2026-11-21T12:00:00.000Z",
  updatedAt: "2026-11-21T12:00:00.000Z",
}

export const exampleAutomatic: AutomaticView = {
  mandate: exampleMandate,
  nextDebitDate: null,
  firstTransactionId: null,
  lastDebit: null,
  newer: null,
}

const exampleDebit: OwnDebitView = {
  _id: "0193a4c9-7c1a-7d3e-9b52-4f0d6c8e1a27",
  mandateId: exampleMandate._id,
  invoiceId: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1a27",
  status: "failed",
  amount: 99.9,
  dueDate: "2031-01-10",
  attempts: [
    {
      kind: "first",
      day: "2031-01-10",
      outcome: "expired",
      code: null,
      text: "Não havia saldo, ou o limite do cliente não bastou.",
    },
  ],
  retryDate: "2031-01-13",
  retryDates: ["2031-01-13", "2031-01-14"],
  cancellableUntil: null,
  createdAt: "2031-01-03T12:00:00.000Z",
  updatedAt: "2031-01-11T00:31:00.000Z",
}

const found = { id: exampleMandate._id }
const ofDebit = { id: exampleDebit._id }

export const mandatesExamples = [
  defineExample(createMandateEndpoint, {
    params: { id: exampleMandate.subscriptionId },
    body: { journey: 3, retryPolicy: "three_in_seven_days" },
    data: { mandate: exampleMandate },
    failures: [
      "automatic_pix_unavailable",
      "idempotency_key_reused",
      "mandate_waiting",
      "subscription_ended",
      "subscription_not_found",
      "psp_refused",
    ],
  }),
  defineExample(getMandateEndpoint, {
    params: found,
    data: { mandate: exampleMandate },
    failures: ["mandate_not_found"],
  }),
  defineExample(cancelMandateEndpoint, {
    params: found,
    data: { mandate: { ...exampleMandate, status: "cancelled_by_us", endedAt: "2026-11-21T12:00:00.000Z" } },
    failures: ["mandate_not_found", "mandate_ended"],
  }),
  defineExample(resumeMandateEndpoint, {
    params: found,
    data: { mandate: { ...exampleMandate, status: "approved", approvedAt: "2026-11-21T12:00:00.000Z" } },
    failures: ["mandate_not_found", "mandate_ended"],
  }),
  defineExample(retryDebitEndpoint, {
    params: ofDebit,
    body: { date: "2031-01-13" },
    data: { debit: exampleDebit },
    failures: ["debit_not_found", "debit_not_retryable"],
  }),
  defineExample(cancelDebitEndpoint, {
    params: ofDebit,
    data: { debit: { ...exampleDebit, status: "cancelled", retryDate: null, retryDates: [] } },
    failures: ["debit_not_found", "debit_ended", "debit_too_late"],
  }),
  defineExample(listAllMandatesEndpoint, {
    query: { limit: "50", status: "waiting" },
    reply: {
      status: "success",
      results: 1,
      data: {
        mandates: [
          {
            ...exampleMandate,
            user: { _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27", name: "Ana Souza" },
            title: "Mensalidade",
            idRec: "RR123456782026112112345678901",
          },
        ],
        summary: {
          isOn: true,
          missing: null,
          sellers: [
            {
              _id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27",
              name: "Ana Souza",
              reason: "Contrato conferido",
              enabledAt: "2026-11-21T12:00:00.000Z",
              live: 1,
            },
          ],
          failures: [{ code: "", text: "Não havia saldo, ou o limite do cliente não bastou.", count: 1 }],
          unanswered: [],
        },
      },
    },
    failures: ["validation_failed"],
  }),
  defineExample(cancelAnyMandateEndpoint, {
    params: found,
    body: { reason: "Pedido do banco" },
    data: { mandate: { ...exampleMandate, status: "cancelled_by_us", endedAt: "2026-11-21T12:00:00.000Z" } },
    failures: ["mandate_not_found", "mandate_ended"],
  }),
  defineExample(setAutomaticPixEndpoint, {
    params: { id: "0193a4c1-7c1a-7d3e-9b52-4f0d6c8e1a27" },
    body: { enabled: true, reason: "Escola com alunos recorrentes, contrato conferido" },
    data: { enabled: true },
    failures: ["user_not_found", "second_approver_needed"],
  }),
]
