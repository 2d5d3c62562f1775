import { createHash } from "node:crypto"
import type { ChargePageView, PublicChargePageView } from "@tilinta/contract/charge-pages"
import type { FormValues } from "@tilinta/contract/pages/checkout-props"
import { reaisFromCents, reaisText } from "@tilinta/contract/vocabulary/money"
import {
  fieldsOf,
  forEachFlag,
  isReadableLine,
  type PayerData,
  type PayerFlag,
  requiredFields,
  type SentField,
} from "@tilinta/contract/vocabulary/payer-data"
import { shopColorCodes } from "@tilinta/contract/vocabulary/shops"
import { parsePhone } from "@tilinta/contract/vocabulary/typed-data"
import type { FastifyInstance } from "fastify"
import type { PreviewSubject } from "#http/previews/draw"
import { DomainError } from "#kit/errors"
import { qrSvg } from "#kit/qr-code"
import { toPublicShop } from "#people/shops/views"
import type { HttpDeps } from "#start/deps"
import { findPublicChargePage, type PublicChargePage } from "./public-page.ts"
import { type ChargePage, shortCodeOf } from "./rules.ts"

function publicFields(page: ChargePage) {
  return {
    _id: page.id,
    title: page.title,
    description: page.description,
    slug: page.slug,
    uniqueLink: page.uniqueLink,
    ...priceView(page),
    shortCode: shortCodeOf(page.uniqueLink),
    status: page.status,
    requireCustomerData: !page.allowAnonymous,
    customerInfo: forEachFlag((flag) => page[flag]),
    pixConfig: { allowAnonymous: page.allowAnonymous, expiresInHours: page.expiresInHours },
    expiresAt: page.expiresAt?.toISOString() ?? null,
  }
}

function priceView({ amountCents, choice }: ChargePage) {
  return {
    amount: choice === null ? reaisFromCents(amountCents) : null,
    minAmount: choice && reaisFromCents(amountCents),
    maxAmount: choice && reaisFromCents(choice.maxCents),
    suggestions: (choice?.suggestedCents ?? []).map(reaisFromCents),
  }
}

export function toChargePageView(page: ChargePage): ChargePageView {
  return {
    ...publicFields(page),
    maxPayments: page.maxPayments,
    kind: page.isSingle ? "single" : "page",
    ...page.order,
    paymentsCount: page.paymentsCount,
    suspendedAt: page.suspension?.since.toISOString() ?? null,
    suspendedFor: page.suspension?.reason ?? null,
    createdAt: page.createdAt.toISOString(),
    updatedAt: page.updatedAt.toISOString(),
  }
}

export function toPublicChargePageView(
  { page, sellerName, shop, invoice }: PublicChargePage,
  payersUrl: string,
): PublicChargePageView {
  const seller = { name: sellerName }
  return {
    ...publicFields(page),
    seller,
    ...(shop !== null && { shop: toPublicShop(shop, payersUrl) }),
    ...(invoice && { invoice }),
  }
}

/** A page's public link as a QR code, to show or to print. */
export function pageQr(
  app: FastifyInstance,
  { db, clock, payersUrl }: Pick<HttpDeps, "db" | "clock" | "payersUrl">,
): void {
  app.get<{ Params: { link: string } }>("/checkout/:link/qr.svg", async (request, reply) => {
    const { link } = request.params
    const found = isStorableLink(link) ? await findPublicChargePage(db, clock, link) : null
    if (found === null) throw new DomainError("public_charge_page_not_found")
    reply.headers({ "cache-control": "private, max-age=300" }).type("image/svg+xml")
    return qrSvg(`${payersUrl}/checkout/${found.page.uniqueLink}`)
  })
}

/** `?name=&email=&cpf=&phone=`, or `cnpj` for a company, by which the seller's shop fills in what it knows of the payer. */
export type SentData = { [Field in SentField | "amount"]?: string | string[] }

const LONGEST = 200

/** Only what the page asks for, and nothing that a person couldn't have typed; the payer still sends it themselves. */
export function prefilled(
  query: SentData,
  page: Pick<ChargePage, "allowAnonymous" | "choice" | PayerFlag>,
): FormValues {
  return { ...prefilledPayer(query, page), ...(page.choice !== null && { amount: typedAs("amount", query.amount) }) }
}

function prefilledPayer(query: SentData, page: Pick<ChargePage, "allowAnonymous" | PayerFlag>): PayerData {
  if (page.allowAnonymous) return {}
  const isCompany = query.cnpj !== undefined && !query.cpf
  const fields = fieldsOf(isCompany ? { cnpj: "" } : {}, requiredFields(page))
  return Object.fromEntries(fields.map((field) => [field, typedAs(field, query[field])]))
}

function typedAs(field: keyof SentData, sent: string | string[] | undefined): string {
  const text = typeof sent === "string" ? sent.trim() : ""
  if (text.length > LONGEST || !isReadableLine(text)) return ""
  return field === "phone" ? (parsePhone(text) ?? "") : text
}

/** True for text that the database can store; anything else can't be one of our links. */
export function isStorableLink(link: string): boolean {
  return link.length <= 200 && link.isWellFormed() && !link.includes("\0")
}

/** Increment it when the drawing changes, which invalidates all cached pictures. */
const DESIGN = 2

export function previewUrlOf(found: PublicChargePage, platformName: string, origin: string): string {
  const version = versionOf(previewSubject(found, platformName))
  return `${origin}/checkout/${found.page.uniqueLink}/preview.png?v=${version}`
}

/** The content of a picture, with the logo's digest in place of the logo. */
type PreviewFacts = Omit<PreviewSubject, "logo"> & { logoDigest: string | null }

export function previewSubject({ page, sellerName, shop }: PublicChargePage, platformName: string): PreviewFacts {
  return {
    title: page.title,
    amount: page.choice === null ? reaisText(page.amountCents) : "Você escolhe o valor",
    sellerName: shop?.name ?? sellerName,
    platformName,
    accent: shopColorCodes[shop?.color ?? "mint"],
    logoDigest: shop?.logoDigest ?? null,
  }
}

export function versionOf({ title, amount, sellerName, platformName, accent, logoDigest }: PreviewFacts): string {
  const shown = JSON.stringify([DESIGN, title, amount, sellerName, platformName, accent, logoDigest])
  return createHash("sha256").update(shown).digest("base64url").slice(0, 12)
}
