import type { AllHits, OwnHits } from "@tilinta/contract/api/search-endpoints"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { adminStatusOf, sellerStatusOf } from "@tilinta/contract/vocabulary/transaction-status"
import type { searchAll, searchOwn } from "#domain/overviews/search/search-everything"

type Found = Awaited<ReturnType<typeof searchAll>>

export function toOwnHits({ pages, charges }: Awaited<ReturnType<typeof searchOwn>>): OwnHits {
  return {
    checkoutPages: pages.map(pageFields),
    transactions: charges.map((charge) => ({ ...chargeFields(charge), status: sellerStatusOf[charge.status] })),
  }
}

export function toAllHits({ users, pages, charges, withdrawals }: Found): AllHits {
  return {
    users: users.map(({ id, name, email, active }) => ({ _id: id, name, email, active })),
    checkoutPages: pages.map((page) => ({ ...pageFields(page), sellerName: page.sellerName })),
    transactions: charges.map((charge) => ({
      ...chargeFields(charge),
      sellerName: charge.sellerName,
      status: adminStatusOf[charge.status],
    })),
    withdrawals: withdrawals.map(({ id, amountCents, status, createdAt, sellerName }) => ({
      _id: id,
      amount: reaisFromCents(amountCents),
      status,
      createdAt: createdAt.toISOString(),
      sellerName,
    })),
  }
}

function pageFields({ id, title, amountCents, status }: Found["pages"][number]) {
  return { _id: id, title, amount: reaisFromCents(amountCents), status }
}

function chargeFields({ id, description, pageTitle, payerName, amountCents, createdAt }: Found["charges"][number]) {
  return {
    _id: id,
    description: description || pageTitle,
    payerName: payerName ?? "",
    amount: reaisFromCents(amountCents),
    createdAt: createdAt.toISOString(),
  }
}
