import * as z from "zod/mini"
import {
  createAmount,
  DESCRIPTION_MAX,
  descriptionTooLong,
  orderFields,
  orderView,
  referenceQuery,
} from "./charge-pages.ts"
import { customerBody } from "./customers.ts"
import { defineEndpoint } from "./define-endpoint.ts"
import {
  day,
  dayQuery,
  exportFormat,
  exportReply,
  id,
  isCalendarDay,
  isoDateTime,
  malformed,
  optionalLines,
  partOfList,
  reais,
  requiredLine,
  searchQuery,
  success,
  successWithResults,
} from "./fields.ts"
import * as heads from "./heads.ts"
import {
  discountTypes,
  FEWEST_INSTALMENTS,
  fineTypes,
  interestTypes,
  invoiceFilters,
  invoiceModes,
  invoiceStates,
  invoiceStatuses,
  MOST_DAYS_AFTER_DUE,
  MOST_INSTALMENTS,
} from "./vocabulary/invoices.ts"
import { bookReaders, managers } from "./vocabulary/team.ts"

const tag = "Cobranças com vencimento"

const daysOutOfRange = `Informe de 0 a ${MOST_DAYS_AFTER_DUE} dias para pagar depois do vencimento`
const unknownType = "Tipo desconhecido."

export function calendarDay(missing: string) {
  const error = ({ input }: { input?: unknown }) => ((input ?? "") === "" ? missing : "Data inválida.")
  return z.string({ error }).check(z.refine(isCalendarDay, { error, params: malformed }))
}

const valueOf = (missing: string) => reais(missing)

const fine = z.object({ type: z.enum(fineTypes, unknownType), value: valueOf("Informe a multa") })
const interest = z.object({ type: z.enum(interestTypes, unknownType), value: valueOf("Informe os juros") })
const discount = z.object({
  type: z.enum(discountTypes, unknownType),
  value: valueOf("Informe o desconto"),
  until: calendarDay("Informe até quando vale o desconto"),
})
export const daysAfterDue = z
  .int(daysOutOfRange)
  .check(z.gte(0, daysOutOfRange), z.lte(MOST_DAYS_AFTER_DUE, daysOutOfRange))

export const lateness = {
  fine: z.nullish(fine),
  interest: z.nullish(interest),
  discounts: z.nullish(z.array(discount, "Informe uma lista de descontos.")),
}
const termFields = {
  amount: createAmount,
  dueDate: calendarDay("Informe a data de vencimento"),
  daysAfterDue: z.nullish(daysAfterDue),
  ...lateness,
}

const newInvoice = {
  customerId: z.nullish(z.string("Informe o cliente")),
  customer: z.nullish(customerBody),
  ...termFields,
  description: optionalLines(DESCRIPTION_MAX, descriptionTooLong),
  ...orderFields,
  mode: z._default(z.enum(invoiceModes, "Use daily ou bank."), "daily"),
}
export const namesOneCustomer = z.refine<{ customerId?: unknown; customer?: unknown }>(
  ({ customerId, customer }) => Boolean(customerId) !== Boolean(customer),
  { path: ["customerId"], error: "Informe o cliente" },
)

export const createInvoiceBody = z.object(newInvoice).check(namesOneCustomer)
export type CreateInvoiceBody = z.infer<typeof createInvoiceBody>

const MOST_AT_ONCE = 200
const customersOutOfRange = `Escolha de 1 a ${MOST_AT_ONCE} clientes.`
const { customerId: _one, customer: _new, externalReference: _own, ...forAll } = newInvoice

/** Each of them is charged the same. A reference stands for one invoice, so there is none. */
const createInvoicesBody = z.object({
  customerIds: z
    .array(z.string(), customersOutOfRange)
    .check(z.refine((ids) => ids.length >= 1 && ids.length <= MOST_AT_ONCE, customersOutOfRange)),
  ...forAll,
})

const instalmentsOutOfRange = `Parcele em ${FEWEST_INSTALMENTS} a ${MOST_INSTALMENTS} vezes.`

/** `amount` is the sum of all. */
const createInstalmentsBody = z
  .object({
    ...newInvoice,
    count: z
      .int(instalmentsOutOfRange)
      .check(z.gte(FEWEST_INSTALMENTS, instalmentsOutOfRange), z.lte(MOST_INSTALMENTS, instalmentsOutOfRange)),
  })
  .check(namesOneCustomer)

/** Changes: a missing one stays, null removes. */
const updateInvoiceBody = z.object({
  amount: z.optional(createAmount),
  dueDate: z.optional(calendarDay("Informe a data de vencimento")),
  daysAfterDue: z.optional(daysAfterDue),
  ...lateness,
  description: z.optional(optionalLines(DESCRIPTION_MAX, descriptionTooLong)),
  ...orderFields,
})
export type UpdateInvoiceBody = z.infer<typeof updateInvoiceBody>

const previewInvoiceBody = z.object({
  ...termFields,
  /** Today, the due day, and 1, 7 and 30 days after it, when absent. */
  days: z.nullish(
    z
      .array(calendarDay("Informe os dias."))
      .check(z.refine((days) => days.length <= 100, { error: "Peça no máximo 100 dias.", params: malformed })),
  ),
})
export type PreviewInvoiceBody = z.infer<typeof previewInvoiceBody>

export const termsWarning = z.object({ path: z.string(), message: z.string() })
const warnings = z.array(termsWarning)

/** `amount` is what is to be paid, with all its parts: original − discount + fine + interest. */
const amountOfDay = { day, amount: z.number(), discount: z.number(), fine: z.number(), interest: z.number() }

export const fineView = z.object({ type: z.enum(fineTypes), value: z.number() })
export const interestView = z.object({ type: z.enum(interestTypes), value: z.number() })
export const discountView = z.object({ type: z.enum(discountTypes), value: z.number(), until: day })

const terms = {
  /** The original. */
  amount: z.number(),
  dueDate: day,
  daysAfterDue: z.number(),
  fine: z.nullable(fineView),
  interest: z.nullable(interestView),
  discounts: z.array(discountView),
}

/** The terms that an invoice had from a moment on. */
const invoiceRevision = z.object({ revision: z.number(), ...terms, madeAt: isoDateTime })
export type InvoiceRevision = z.infer<typeof invoiceRevision>

export const amountOfDayView = z.object(amountOfDay)

/** The customer, as they are now. */
export const chargedCustomer = z.object({
  _id: id,
  name: z.string(),
  document: z.string(),
  email: z.string(),
  phone: z.string(),
})

export const paidPartsView = z.object({
  amount: z.number(),
  original: z.number(),
  discount: z.number(),
  fine: z.number(),
  interest: z.number(),
  difference: z.number(),
  /** The platform's own amount of that day: in mode `bank` the bank's may be another one. */
  expected: z.number(),
})

export const invoiceView = z.object({
  _id: id,
  /** The transaction that paid it; null before. */
  transactionId: z.nullable(id),
  /** The subscription whose cycle it is; null of one alone. */
  subscriptionId: z.nullable(id),
  status: z.enum(invoiceStatuses),
  /** The state that people see, of today. */
  state: z.enum(invoiceStates),
  mode: z.enum(invoiceModes),
  ...terms,
  description: z.string(),
  ...orderView,
  /** The payer's own page. */
  link: z.string(),
  today: amountOfDayView,
  /** It can be paid until the end of this day. */
  lastDay: day,
  customer: chargedCustomer,
  /** Grows with each change of its terms. */
  revision: z.number(),
  paidAt: z.nullable(isoDateTime),
  /** The payment in parts; null before. `difference` is what an administrator accepted above or below the amount. */
  paid: z.nullable(paidPartsView),
  /** The seller's words of one that was settled another way. */
  settledFor: z.nullable(z.string()),
  /** When a person, and not a program or its seller, first had its link on a screen; null before. */
  openedAt: z.nullable(isoDateTime),
  /** In mode `bank` the code of its whole life, while it is open; null until the bank gave it, and in mode `daily`. */
  pixCode: z.nullable(z.string()),
  warnings,
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type InvoiceView = z.infer<typeof invoiceView>

const params = z.object({ id: z.string() })
const oneInvoice = success(z.object({ invoice: invoiceView }))

export const createInvoiceEndpoint = defineEndpoint("createInvoice", heads.createInvoice, {
  audience: "seller",
  roles: managers,
  scope: "invoices:write",
  isIdempotent: true,
  tag,
  summary: "Cobra um cliente até um dia, com multa, juros e descontos",
  body: createInvoiceBody,
  reply: { status: 201, schema: oneInvoice },
})

const manyInvoices = success(z.object({ invoices: z.array(invoiceView) }))

export const createInvoicesAtOnceEndpoint = defineEndpoint("createInvoicesAtOnce", heads.createInvoicesAtOnce, {
  audience: "seller",
  roles: managers,
  scope: "invoices:write",
  isIdempotent: true,
  tag,
  summary: `Cobra o mesmo de até ${MOST_AT_ONCE} clientes: todas as cobranças são criadas, ou nenhuma`,
  body: createInvoicesBody,
  reply: { status: 201, schema: manyInvoices },
})

export const createInstalmentsEndpoint = defineEndpoint("createInstalments", heads.createInstalments, {
  audience: "seller",
  roles: managers,
  scope: "invoices:write",
  isIdempotent: true,
  tag,
  summary: "Cobra um valor em parcelas mensais; a última leva os centavos que sobram",
  body: createInstalmentsBody,
  reply: { status: 201, schema: manyInvoices },
})

const filters = {
  status: z.optional(z.enum(invoiceFilters, "Status desconhecido.")),
  dueFrom: dayQuery(),
  dueTo: dayQuery(),
  customerId: z.optional(z.uuid("Cliente desconhecido.")),
  search: searchQuery(),
  externalReference: referenceQuery,
}
export const dueInOrder = z.refine<{ dueFrom?: string | undefined; dueTo?: string | undefined }>(
  ({ dueFrom, dueTo }) => dueFrom === undefined || dueTo === undefined || dueFrom <= dueTo,
  { path: ["dueFrom"], error: "A data inicial deve vir antes da final.", params: malformed },
)

export const invoiceListQuery = {
  ...partOfList(50),
  /** `newest`: those that are due last come first. */
  order: z._default(z.enum(["newest", "oldest"], "Use newest ou oldest."), "newest"),
  ...filters,
}

export const listInvoicesEndpoint = defineEndpoint("listInvoices", heads.listInvoices, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "invoices:read",
  tag,
  summary: "As cobranças com vencimento, pela data de vencimento",
  query: z.object(invoiceListQuery).check(dueInOrder),
  reply: {
    status: 200,
    schema: successWithResults({
      invoices: z.array(invoiceView),
      /** Those that this platform's bank takes: `bank` isn't among them where it has no codes with a due day. */
      modes: z.array(z.enum(invoiceModes)),
      /** Sums of all invoices, whatever the filter and the page: today's amounts of the open, of the overdue among them, and what was paid. */
      summary: z.object({
        /** Today, by which all of it is computed; in the sandbox it may be moved. */
        day,
        open: z.number(),
        overdue: z.number(),
        received: z.number(),
      }),
    }),
  },
})

export const exportInvoicesEndpoint = defineEndpoint("exportInvoices", heads.exportInvoices, {
  audience: "seller",
  roles: bookReaders,
  scope: "invoices:read",
  urgency: "last",
  tag,
  summary:
    "As cobranças com vencimento que os filtros escolhem, todas, num arquivo `cobrancas_{AAAA-MM-DD}`: CSV ou planilha",
  query: z.object({ ...filters, ...exportFormat }).check(dueInOrder),
  reply: exportReply,
})

export const getInvoiceEndpoint = defineEndpoint("getInvoice", heads.getInvoice, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "invoices:read",
  tag,
  summary: "Uma cobrança com vencimento, com o valor de hoje e as suas alterações",
  params,
  reply: {
    status: 200,
    schema: success(
      z.object({
        invoice: invoiceView,
        /** The first one is as it was made. */
        revisions: z.array(invoiceRevision),
      }),
    ),
  },
})

export const updateInvoiceEndpoint = defineEndpoint("updateInvoice", heads.updateInvoice, {
  audience: "seller",
  roles: managers,
  scope: "invoices:write",
  tag,
  summary: "Altera uma cobrança em aberto: o código do dia deixa de valer, e o link fica",
  params,
  body: updateInvoiceBody,
  reply: { status: 200, schema: oneInvoice },
})

export const cancelInvoiceEndpoint = defineEndpoint("cancelInvoice", heads.cancelInvoice, {
  audience: "seller",
  roles: managers,
  scope: "invoices:write",
  tag,
  summary: "Cancela uma cobrança em aberto (irreversível)",
  params,
  reply: { status: 200, schema: oneInvoice },
})

const REASON_MAX = 200

export const settleInvoiceOutsideEndpoint = defineEndpoint("settleInvoiceOutside", heads.settleInvoiceOutside, {
  audience: "seller",
  roles: managers,
  scope: "invoices:write",
  tag,
  summary: "Encerra uma cobrança cujo dinheiro veio de outro jeito; nada entra no saldo",
  params,
  body: z.object({ reason: requiredLine(REASON_MAX, "Diga como a cobrança foi recebida") }),
  reply: { status: 200, schema: oneInvoice },
})

export const previewInvoiceEndpoint = defineEndpoint("previewInvoice", heads.previewInvoice, {
  audience: "seller",
  roles: managers,
  whileFrozen: true,
  scope: "invoices:read",
  tag,
  summary: "Calcula o que uma cobrança pediria em cada dia, sem criar nada",
  body: previewInvoiceBody,
  reply: {
    status: 200,
    schema: success(
      z.object({
        days: z.array(z.object({ ...amountOfDay, isBusinessDay: z.boolean() })),
        lastDay: day,
        warnings,
      }),
    ),
  },
})
