import type { AllHits, OwnHits } from "@tilinta/contract/api/search-endpoints"
import { chargePageStatusLabels } from "@tilinta/contract/vocabulary/charge-page-status"
import { adminStatusLabels } from "@tilinta/contract/vocabulary/transaction-status"
import { withdrawalStatusLabels } from "@tilinta/contract/vocabulary/withdrawal-status"
import { formatDateTime } from "#format/date.ts"
import type { PaletteGroup } from "./palette-entry.ts"

const noteOf = (...parts: string[]) => parts.filter((part) => part !== "").join(" · ")

export function groupsOfOwn({ checkoutPages, transactions }: OwnHits): PaletteGroup[] {
  return filled([
    {
      heading: "Páginas de cobrança",
      entries: checkoutPages.map(({ _id, title, amount, status }) => ({
        id: _id,
        icon: "file",
        label: title,
        note: chargePageStatusLabels[status],
        amount,
        act: { to: "/checkouts/$id", params: { id: _id } },
      })),
    },
    {
      heading: "Transações",
      entries: transactions.map(({ _id, description, payerName, amount, createdAt, status }) => ({
        id: _id,
        icon: "exchange",
        label: payerName || description,
        note: noteOf(payerName === "" ? "" : description, sentence(status), formatDateTime(createdAt)),
        amount,
        act: { to: "/transactions", search: { transaction: _id } },
      })),
    },
  ])
}

export function groupsOfAll({ users, checkoutPages, transactions, withdrawals }: AllHits): PaletteGroup[] {
  return filled([
    {
      heading: "Usuários",
      entries: users.map(({ _id, name, email, active }) => ({
        id: _id,
        icon: "user",
        label: name,
        note: noteOf(email, active ? "" : "Inativo"),
        act: { to: "/admin/users", search: { user: _id } },
      })),
    },
    {
      heading: "Saques",
      entries: withdrawals.map(({ _id, amount, status, createdAt, sellerName }) => ({
        id: _id,
        icon: "bank",
        label: sellerName,
        note: noteOf(withdrawalStatusLabels[status], formatDateTime(createdAt)),
        amount,
        act: { to: "/admin/withdrawals", search: { withdrawal: _id } },
      })),
    },
    {
      heading: "Transações",
      entries: transactions.map(({ _id, description, payerName, amount, createdAt, status, sellerName }) => ({
        id: _id,
        icon: "exchange",
        label: payerName || description,
        note: noteOf(sellerName, adminStatusLabels[status], formatDateTime(createdAt)),
        amount,
        act: { to: "/admin/transactions", search: { transaction: _id } },
      })),
    },
    {
      heading: "Páginas de cobrança",
      entries: checkoutPages.map(({ _id, title, amount, status, sellerName }) => ({
        id: _id,
        icon: "file",
        label: title,
        note: noteOf(sellerName, chargePageStatusLabels[status]),
        amount,
        act: { to: "/admin/checkout-pages", search: { checkout: _id } },
      })),
    },
  ])
}

const filled = (groups: PaletteGroup[]) => groups.filter(({ entries }) => entries.length > 0)

function sentence(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
