import type { ChargePageView, PublicChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { ChargePage } from "#domain/selling/charge-pages/charge-page"
import type { PublicChargePage } from "#domain/selling/charge-pages/find-public-charge-page"

function publicFields(page: ChargePage) {
  return {
    _id: page.id,
    title: page.title,
    description: page.description,
    slug: page.slug,
    uniqueLink: page.uniqueLink,
    amount: reaisFromCents(page.amountCents),
    status: page.status,
    requireCustomerData: !page.allowAnonymous,
    customerInfo: {
      requireName: page.requireName,
      requireEmail: page.requireEmail,
      requirePhone: page.requirePhone,
      requireCpf: page.requireCpf,
    },
    pixConfig: { allowAnonymous: page.allowAnonymous, expiresInHours: page.expiresInHours },
    expiresAt: page.expiresAt?.toISOString() ?? null,
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

export function toPublicChargePageView({ page, sellerName }: PublicChargePage): PublicChargePageView {
  return { ...publicFields(page), seller: { name: sellerName } }
}
