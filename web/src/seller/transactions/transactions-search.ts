import { type SellerStatusFilter, sellerStatusFilterWords } from "@tilinta/contract/vocabulary/transaction-status"
import { pageOf, textOf, wordOf } from "../page-search.ts"

export interface TransactionsSearch {
  page?: number | undefined
  status?: SellerStatusFilter | undefined
  search?: string | undefined
}

export function transactionsSearch(raw: Record<string, unknown>): TransactionsSearch {
  return { page: pageOf(raw.page), status: wordOf(raw.status, sellerStatusFilterWords), search: textOf(raw.search) }
}

export const statusFilterOptions = [
  { word: "pendente", label: "Pendente" },
  { word: "aprovado", label: "Aprovado" },
  { word: "recusado", label: "Recusado" },
  { word: "cancelado", label: "Cancelado" },
  { word: "expirado", label: "Expirado" },
  { word: "estornado", label: "Estornado" },
] as const satisfies readonly { word: SellerStatusFilter; label: string }[]
