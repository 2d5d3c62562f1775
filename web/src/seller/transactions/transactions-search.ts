import { type SellerStatusFilter, sellerStatusFilterWords } from "@tilinta/contract/vocabulary/transaction-status"
import type { ListSearch } from "#ui/list-filters.tsx"
import { idOf, pageOf, periodOf, textOf, wordOf } from "#ui/list-search.ts"

export interface TransactionsSearch extends ListSearch<SellerStatusFilter> {
  /** The transaction open beside the list. */
  transaction?: string | undefined
  /** Only those of this charge page. */
  checkoutPage?: string | undefined
}

export function transactionsSearch(raw: Record<string, unknown>): TransactionsSearch {
  return {
    page: pageOf(raw.page),
    status: wordOf(raw.status, sellerStatusFilterWords),
    search: textOf(raw.search),
    ...periodOf(raw),
    transaction: idOf(raw.transaction),
    checkoutPage: idOf(raw.checkoutPage),
  }
}

export const statusFilterOptions = [
  { word: "pendente", label: "Pendente" },
  { word: "aprovado", label: "Aprovado" },
  { word: "recusado", label: "Recusado" },
  { word: "cancelado", label: "Cancelado" },
  { word: "expirado", label: "Expirado" },
  { word: "estornado", label: "Estornado" },
] as const satisfies readonly { word: SellerStatusFilter; label: string }[]
