import { queryOptions } from "@tanstack/react-query"
import type { DailyCloseView } from "@tilinta/contract/daily-closes"
import * as heads from "@tilinta/contract/heads"
import type { CloseKind, CloseStatus } from "@tilinta/contract/vocabulary/books"
import { centsFromReais, parseReais, reaisFromCents, subtractCents } from "@tilinta/contract/vocabulary/money"
import { call } from "#api/client.ts"
import type { BadgeTone } from "#ui/badge.tsx"

export const statusWords = {
  waiting: { label: "Aguardando", tone: "secondary" },
  checking: { label: "Comparando", tone: "primary" },
  ok: { label: "Confere", tone: "success" },
  differences: { label: "Diferenças", tone: "danger" },
  failed: { label: "Não comparado", tone: "warning" },
} as const satisfies Record<CloseStatus, { label: string; tone: BadgeTone }>

export const kindWords = {
  receipt: "Recebimentos",
  refund: "Estornos e devoluções",
  payout: "Envios",
} as const satisfies Record<CloseKind, string>

const stateWords: Readonly<Record<string, string>> = {
  completed: "concluído",
  refused: "recusado",
  "under-way": "em andamento",
  processing: "processando",
  pending: "pendente",
  approved: "aprovado",
  rejected: "rejeitado",
  cancelled: "cancelado",
}

/** The bank has the entry, without an amount that we could compare. */
export const unreadableState = "consta, mas não pudemos ler"

/** A word that a later version adds is shown as it is, rather than hidden. */
export function stateLabel(state: string | null): string {
  return state === null ? "não consta" : (stateWords[state] ?? state)
}

/** A day that differs in no entry differs in the bank's balance. */
export function differencesLabel(count: number): string {
  if (count === 0) return "Saldo diferente"
  return count === 1 ? "1 diferença" : `${count.toLocaleString("pt-BR")} diferenças`
}

/** "2026-11-21" as people write it. */
export function dayLabel(day: string): string {
  return day.split("-").toReversed().join("/")
}

/** Parses what people type or paste from a statement: an account may be empty, or overdrawn. */
export function parseBalance(text: string): number | null {
  const bare = text.replace(/R\$|\s/g, "")
  const isNegative = /^[-−–]/.test(bare)
  const reais = parseReais(isNegative ? bare.slice(1) : bare)
  return reais === null || !isNegative ? reais : 0 - reais
}

/** The part of bank − ours that money under way explains. */
export function inTransit({ bank, ours, difference }: NonNullable<DailyCloseView["bankBalance"]>): number {
  const apart = subtractCents(centsFromReais(bank), centsFromReais(ours))
  return reaisFromCents(subtractCents(apart, centsFromReais(difference)))
}

export const closesKey = ["admin", "daily-closes"] as const
export const pageSize = 31

const idleMs = 30_000
/** Polling interval while a day is being compared. */
const busyMs = 1_500

export function closesQuery(page: number) {
  return queryOptions({
    queryKey: [...closesKey, "list", page],
    queryFn: ({ signal }) =>
      call(heads.listDailyCloses, { query: { page: String(page), limit: String(pageSize) }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.data.closes.some(({ status }) => status === "checking") ? busyMs : idleMs,
  })
}

export function closeQuery(id: string) {
  return queryOptions({
    queryKey: [...closesKey, "one", id],
    queryFn: async ({ signal }) => (await call(heads.getDailyClose, { params: { id }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.close.status === "checking" ? busyMs : idleMs),
  })
}

export async function typeBalance(id: string, balance: number) {
  return (await call(heads.typeBankBalance, { params: { id }, body: { balance } })).data
}

export function redoClose(id: string) {
  return call(heads.redoDailyClose, { params: { id } })
}
