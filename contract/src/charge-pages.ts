import * as z from "zod/mini"
import { defineEndpoint } from "./define-endpoint.ts"
import {
  day,
  id,
  inOrder,
  isoDateTime,
  listFilters,
  malformed,
  optionalLines,
  partOfList,
  publicShopView,
  readableLine,
  readableLines,
  reais,
  requiredLine,
  success,
  successWithResults,
  text,
} from "./fields.ts"
import * as heads from "./heads.ts"
import { chargePageKinds, chargePageStatuses, pageReportReasons } from "./vocabulary/charge-pages.ts"
import { forEachFlag } from "./vocabulary/payer-data.ts"
import { managers } from "./vocabulary/team.ts"

export const TITLE_MAX = 100
export const DESCRIPTION_MAX = 500
export const MAX_EXPIRY_HOURS = 168
export const DEFAULT_EXPIRY_HOURS = 24
const titleTooLong = "O título deve ter no máximo 100 caracteres"
export const descriptionTooLong = "A descrição deve ter no máximo 500 caracteres"

const flag = z.optional(z.boolean("Deve ser verdadeiro ou falso."))

export const hoursOutOfRange = "A expiração deve ficar entre 1 e 168 horas"
export const hoursNotWhole = "A expiração deve ser um número inteiro de horas"

/** 0 means never. A value that isn't a number falls back to 24, as the specification says. */
const expiryHours = z.pipe(
  z.unknown(),
  z.transform((value, context) => {
    if (value === undefined || value === null) return undefined
    const hours = hoursOf(value)
    const refuse = (message: string, params = {}) =>
      context.issues.push({ code: "custom", message, input: value, params })
    if (!Number.isInteger(hours) && Number.isFinite(hours)) refuse(hoursNotWhole, malformed)
    else if (hours < 0 || hours > MAX_EXPIRY_HOURS) refuse(hoursOutOfRange)
    return hours
  }),
)

/** Text may have a decimal comma, and words after the number: `24 horas`. */
export function hoursOf(value: unknown): number {
  if (typeof value === "number") return value
  const hours = typeof value === "string" ? Number.parseFloat(value.replace(",", ".")) : Number.NaN
  return Number.isNaN(hours) ? DEFAULT_EXPIRY_HOURS : hours
}

const customerInfoFlags = z.optional(z.nullable(z.object(forEachFlag(() => flag))))
const pixConfig = z.optional(z.nullable(z.object({ allowAnonymous: flag, expiresInHours: z.optional(expiryHours) })))
const maxPayments = z.optional(
  z.nullable(
    z
      .int("Informe um número inteiro de pagamentos.")
      .check(
        z.gte(1, "Informe pelo menos 1 pagamento."),
        z.lte(1_000_000, "Informe no máximo 1.000.000 de pagamentos."),
      ),
  ),
)

export const createAmount = reais("O valor da cobrança deve ser maior que zero").check(
  z.refine((value) => value > 0, { error: "O valor da cobrança deve ser maior que zero", abort: true }),
  z.refine((value) => value <= 0 || value >= 1, "O valor mínimo da cobrança é R$ 1,00"),
)

export const MOST_SUGGESTIONS = 6
const bound = (missing: string) =>
  z.nullish(reais(missing).check(z.refine((value) => value >= 1, "O valor mínimo da cobrança é R$ 1,00")))

/** The limits of a page whose payers choose, as `amount: null` says. */
const openAmountFields = {
  minAmount: bound("Informe o menor valor."),
  maxAmount: bound("Informe o maior valor."),
  suggestions: z.nullish(
    z
      .array(reais("Informe o valor sugerido."), "suggestions é uma lista de valores.")
      .check(z.maxLength(MOST_SUGGESTIONS, `Sugira no máximo ${MOST_SUGGESTIONS} valores.`)),
  ),
}

/** Read by nobody as sent: whatever isn't a letter, a digit or a hyphen is dropped from it. */
const slug = z.prefault(
  text(TITLE_MAX, "O slug deve ter no máximo 100 caracteres").check(z.trim(), z.minLength(1, "O slug é obrigatório")),
  "",
)

export const REFERENCE_MAX = 100

const emptyToNull = z.transform((value: string) => (value === "" ? null : value))

const externalReference = z.nullish(z.pipe(text(REFERENCE_MAX).check(z.trim(), readableLine), emptyToNull))
const KEY_MAX = 40

const pairKey = text(KEY_MAX, `Use chaves de 1 a ${KEY_MAX} caracteres em metadata.`).check(
  readableLine,
  z.minLength(1, `Use chaves de 1 a ${KEY_MAX} caracteres em metadata.`),
)
const VALUE_MAX = 500
const pairValue = text(VALUE_MAX, `Use valores de até ${VALUE_MAX} caracteres em metadata.`)
const MOST_PAIRS = 20

const metadata = z.nullish(
  z
    .record(pairKey, pairValue, "metadata é um objeto de textos.")
    .check(
      z.refine((pairs) => Object.keys(pairs).length <= MOST_PAIRS, `Use no máximo ${MOST_PAIRS} pares em metadata.`),
    ),
)
export const RETURN_URL_MAX = 2000

const returnUrl = z.nullish(
  z.pipe(
    text(RETURN_URL_MAX).check(
      z.trim(),
      readableLine,
      z.refine(isWebAddress, "Informe um endereço completo, como https://loja.com.br/pedido."),
      // Stored as browsers read it: of 'https://loja.example\\@evil.example' people would read another host.
      z.overwrite((value) => URL.parse(value)?.href ?? value),
      z.maxLength(RETURN_URL_MAX, `Use no máximo ${RETURN_URL_MAX} caracteres.`),
    ),
    emptyToNull,
  ),
)

/** The seller's own order, as a page or a charge is given it. On an update null removes, and what is missing stays. */
export const orderFields = { externalReference, metadata, returnUrl }
const pageFields = {
  requireCustomerData: flag,
  customerInfo: customerInfoFlags,
  pixConfig,
  maxPayments,
  ...orderFields,
}

export const createChargePageBody = z.object({
  title: requiredLine(TITLE_MAX, "O título da cobrança é obrigatório", titleTooLong),
  slug,
  amount: z.nullable(createAmount),
  ...openAmountFields,
  description: optionalLines(DESCRIPTION_MAX, descriptionTooLong),
  ...pageFields,
})
export type CreateChargePageBody = z.infer<typeof createChargePageBody>

export const updateChargePageBody = z.object({
  title: z.optional(requiredLine(TITLE_MAX, "Título é obrigatório", titleTooLong)),
  slug: z.optional(slug),
  amount: z.nullish(
    reais("Valor deve ser maior que zero").check(z.refine((value) => value > 0, "Valor deve ser maior que zero")),
  ),
  ...openAmountFields,
  description: z.optional(text(DESCRIPTION_MAX, descriptionTooLong).check(z.trim(), readableLines)),
  ...pageFields,
})
export type UpdateChargePageBody = z.infer<typeof updateChargePageBody>

export const customerInfoView = z.object(forEachFlag(() => z.boolean()))

export const pixConfigView = z.object({ allowAnonymous: z.boolean(), expiresInHours: z.number() })

const publicFields = {
  _id: id,
  title: z.string(),
  description: z.string(),
  slug: z.string(),
  uniqueLink: z.string(),
  /** Null where payers choose it, within the two limits. */
  amount: z.nullable(z.number()),
  minAmount: z.nullable(z.number()),
  maxAmount: z.nullable(z.number()),
  /** Amounts offered to payers who choose. */
  suggestions: z.array(z.number()),
  /** Printed on the page's poster and shown to payers, who see by it that nobody stuck another QR over it. */
  shortCode: z.string(),
  status: z.enum(chargePageStatuses),
  requireCustomerData: z.boolean(),
  customerInfo: customerInfoView,
  pixConfig: pixConfigView,
  expiresAt: z.nullable(isoDateTime),
}

const pairs = z.record(z.string(), z.string())

/** The order of a page in the replies to its owner. */
export const orderView = {
  externalReference: z.nullable(z.string()),
  metadata: pairs,
  returnUrl: z.nullable(z.string()),
}

/** Fields that owners and admins read alike. */
export const chargePageFields = {
  ...publicFields,
  maxPayments: z.nullable(z.number()),
  /** `single`: made by POST charges for one Pix. */
  kind: z.enum(chargePageKinds),
  ...orderView,
  paymentsCount: z.number(),
  /** Set while administrators keep payers away from the page, with what it was reported for. */
  suspendedAt: z.nullable(isoDateTime),
  suspendedFor: z.nullable(z.enum(pageReportReasons)),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
}

export const chargePageView = z.object(chargePageFields)
export type ChargePageView = z.infer<typeof chargePageView>

/** The terms of the invoice behind a page, where there is one. `amount` of the page is today's. */
export const publicInvoiceView = z.object({
  dueDate: day,
  /** A due day on a weekend or a holiday counts until this one. */
  adjustedDueDate: day,
  /** It can be paid until the end of this day. */
  lastDay: day,
  daysLate: z.number(),
  original: z.number(),
  discount: z.number(),
  fine: z.number(),
  interest: z.number(),
  /** Until the end of this day the discount is as today; null without one. */
  discountUntil: z.nullable(day),
  /** Until today's amount ends with São Paulo's day. */
  secondsLeft: z.number(),
  /** Amounts to be paid today and on the next three days, as far as it can be. */
  schedule: z.array(z.object({ day, amount: z.number() })),
})
export type PublicInvoiceView = z.infer<typeof publicInvoiceView>

export const publicChargePageView = z.object({
  ...publicFields,
  seller: z.object({ name: z.string() }),
  /** Absent for a seller without a shop. */
  shop: z.optional(publicShopView),
  /** Absent of a page without a due day. */
  invoice: z.optional(publicInvoiceView),
})
export type PublicChargePageView = z.infer<typeof publicChargePageView>

/** Any length: a link that is too long to exist is one that is not found. */
const idParams = z.object({ id: z.string() })

export const createChargePageEndpoint = defineEndpoint("createChargePage", heads.createChargePage, {
  audience: "seller",
  roles: managers,
  scope: "pages:write",
  isIdempotent: true,
  tag: "Páginas de cobrança",
  summary: "Cria uma página de cobrança",
  body: createChargePageBody,
  reply: { status: 201, schema: success(z.object({ checkoutPage: chargePageView })) },
})

/** In the query of a list. Empty is refused: whoever lost the reference on the way would read another order's rows. */
export const referenceQuery = z.optional(
  text(REFERENCE_MAX).check(
    z.trim(),
    z.refine((value) => value !== "", { error: "Informe a referência em externalReference.", params: malformed }),
  ),
)

export const listChargePagesEndpoint = defineEndpoint("listChargePages", heads.listChargePages, {
  audience: "seller",
  roles: managers,
  whileFrozen: true,
  scope: "pages:read",
  tag: "Páginas de cobrança",
  summary: "As páginas do vendedor, das mais novas às mais antigas",
  query: z
    .object({
      ...partOfList(10),
      ...listFilters(chargePageStatuses),
      kind: z.optional(z.enum(chargePageKinds, "Tipo desconhecido.")),
      externalReference: referenceQuery,
    })
    .check(inOrder),
  reply: {
    status: 200,
    schema: successWithResults({
      checkoutPages: z.array(chargePageView),
      summary: z.object({ count: z.number(), activeCount: z.number() }),
    }),
  },
})

/** One path, two readers: an `_id` is the owner's view, anything else the public lookup by link or slug. */
export const getChargePageEndpoint = defineEndpoint("getChargePage", heads.getChargePage, {
  audience: "public",
  roles: managers,
  scope: "pages:read",
  tag: "Páginas de cobrança",
  summary: "Uma página: do dono, pelo _id; pública, pelo link ou slug",
  params: idParams,
  reply: {
    status: 200,
    schema: success(z.object({ checkoutPage: z.union([chargePageView, publicChargePageView]) })),
  },
})

export const updateChargePageEndpoint = defineEndpoint("updateChargePage", heads.updateChargePage, {
  audience: "seller",
  roles: managers,
  scope: "pages:write",
  tag: "Páginas de cobrança",
  summary: "Altera uma página de cobrança",
  params: idParams,
  body: updateChargePageBody,
  reply: { status: 200, schema: success(z.object({ checkoutPage: chargePageView })) },
})

export const cancelChargePageEndpoint = defineEndpoint("cancelChargePage", heads.cancelChargePage, {
  audience: "seller",
  roles: managers,
  scope: "pages:write",
  tag: "Páginas de cobrança",
  summary: "Cancela uma página ativa (irreversível)",
  params: idParams,
  reply: { status: 200, schema: success(z.object({ checkoutPage: chargePageView })) },
})

export const deleteChargePageEndpoint = defineEndpoint("deleteChargePage", heads.deleteChargePage, {
  audience: "seller",
  roles: managers,
  scope: "pages:write",
  tag: "Páginas de cobrança",
  summary: "Exclui uma página; as suas transações ficam",
  params: idParams,
  reply: { status: 204 },
})

export const getSlugEndpoint = defineEndpoint("getSlug", heads.getSlug, {
  audience: "seller",
  roles: managers,
  whileFrozen: true,
  scope: "pages:read",
  tag: "Páginas de cobrança",
  summary: "Diz se um slug está livre e qual seria usado",
  params: z.object({ slug: text(200) }),
  reply: { status: 200, schema: success(z.object({ available: z.boolean(), suggestion: z.string() })) },
})

/** Credentials in an address would be handed to the payer. */
function isWebAddress(value: string): boolean {
  if (value === "") return true
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
}

export interface SentOrder {
  externalReference?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
  returnUrl?: string | null | undefined
}

/** In the metadata of a transaction, next to our own fields, so that no pair of the seller's can hide one of ours. */
export const orderPairs = pairs
