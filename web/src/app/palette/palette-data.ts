import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import type { LinkProps } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { AllHits, OwnHits } from "@tilinta/contract/search"
import type { UserView } from "@tilinta/contract/users"
import { chargePageStatusLabels } from "@tilinta/contract/vocabulary/charge-pages"
import { invoiceStateLabels } from "@tilinta/contract/vocabulary/invoices"
import { erasedDataLabel } from "@tilinta/contract/vocabulary/payer-data"
import type { Role } from "@tilinta/contract/vocabulary/people"
import { subscriptionStatusLabels } from "@tilinta/contract/vocabulary/subscriptions"
import { adminStatusLabels } from "@tilinta/contract/vocabulary/transactions"
import { withdrawalStatusLabels } from "@tilinta/contract/vocabulary/withdrawals"
import { call } from "#api/client.ts"
import type { MenuEntry } from "#app/sidebar.tsx"
import { formatDateTime, formatDay } from "#format/dates.ts"
import { maskPhone } from "#format/masks.ts"
import { holdsText } from "#format/withdrawal-texts.ts"
import type { IconName } from "#ui/icon.tsx"

type Place = Pick<LinkProps, "to" | "search" | "params">

/** A line of the search: its destination or action. */
export interface PaletteEntry {
  id: string
  icon: IconName
  label: string
  /** Distinguishes it from others of the same name. */
  note?: string
  amount?: number
  act: Place | (() => void)
}

export interface PaletteGroup {
  heading: string
  entries: readonly PaletteEntry[]
}

/** Every word must occur somewhere, in any order: 'saque pedir' finds the same as 'pedir saque'. */
export function matchingEntries(
  entries: readonly (PaletteEntry & { words?: string })[],
  typed: string,
): readonly PaletteEntry[] {
  const words = typed.split(/\s+/).filter((word) => word !== "")
  return entries.filter(({ label, words: more = "" }) => words.every((word) => holdsText(`${label} ${more}`, word)))
}

type Findable = PaletteEntry & { words?: string }

const elsewhere: Readonly<Record<UserView["role"], readonly Findable[]>> = {
  admin: [
    {
      id: "/admin/withdrawals?pending",
      icon: "clock",
      label: "Saques pendentes",
      words: "aprovar fila",
      act: { to: "/admin/withdrawals", search: { status: "pending" } },
    },
  ],
  user: [],
}

const profile: Findable = {
  id: "/profile",
  icon: "user",
  label: "Meu Perfil",
  words: "senha dados bancários chave conta",
  act: { to: "/profile" },
}

/** Further words by which a screen of the menu is found. */
const otherWords: Partial<Record<MenuEntry["to"], string>> = {
  "/counter": "caixa maquininha venda presencial turno",
  "/receivables": "cobranças vencimento vencidas devedores boleto",
  "/customers": "importar contatos",
  "/subscriptions": "planos mensalidade recorrência recorrente clube",
  "/developers": "api chaves desenvolvedores integração",
  "/admin/approvals": "pendências segunda pessoa aprovar",
  "/admin/unmatched-payments": "pendências pix desconhecido suspenso",
  "/admin/checkout-pages": "cobrança checkout links",
  "/admin/page-reports": "pendências denunciar golpe suspender página",
  "/admin/disputes": "pendências contestação med disputa",
  "/admin/accounts": "contabilidade plano saldos",
  "/admin/journal": "contabilidade tarifa retirada correção",
  "/admin/audit": "sistema registro quem",
  "/admin/system": "estado saúde tarefas backup",
  "/admin/daily-closes": "contabilidade conciliação dia banco",
}

/** The menu's screens, and those that no menu shows. */
export function screensOf(user: UserView, menu: readonly MenuEntry[]): readonly Findable[] {
  return [...menu.map(toEntry), ...elsewhere[user.role], profile]
}

function toEntry({ to, icon, label }: MenuEntry): Findable {
  return { id: to, icon, label, words: otherWords[to] ?? "", act: { to } }
}

const shortcuts = { id: "shortcuts", icon: "keyboard", label: "Atalhos do teclado", words: "ajuda" } as const

interface Deeds {
  leave: () => void
  /** Null on touch devices. */
  showShortcuts: (() => void) | null
  toggleAmounts: () => void
}

export function actionsOf(user: UserView, { leave, showShortcuts, toggleAmounts }: Deeds): readonly Findable[] {
  const ofSeller: readonly Findable[] = [
    {
      id: "new-charge",
      icon: "plus",
      label: "Nova cobrança",
      words: "criar página pix link",
      act: { to: "/checkouts/create" },
    },
    {
      id: "new-invoice",
      icon: "calendar",
      label: "Cobrar cliente",
      words: "cobrança vencimento multa juros fatura",
      act: { to: "/receivables/$form", params: { form: "create" } },
    },
    {
      id: "new-subscription",
      icon: "refresh",
      label: "Nova assinatura",
      words: "mensalidade recorrente plano",
      act: { to: "/subscriptions/$id", params: { id: "create" } },
    },
    {
      id: "new-customer",
      icon: "user",
      label: "Novo cliente",
      words: "cadastrar criar",
      act: { to: "/customers", search: { open: "new" } },
    },
    {
      id: "request-withdrawal",
      icon: "withdraw",
      label: "Solicitar saque",
      words: "pedir retirar dinheiro transferir",
      act: { to: "/withdrawals", search: { request: true } },
    },
  ]
  return [
    ...(user.role === "admin" ? [] : ofSeller),
    { id: "amounts", icon: "eye", label: "Mostrar ou ocultar valores", words: "esconder", act: toggleAmounts },
    ...(showShortcuts === null ? [] : [{ ...shortcuts, act: showShortcuts }]),
    { id: "leave", icon: "logOut", label: "Sair", words: "logout encerrar sessão", act: leave },
  ]
}

const noteOf = (...parts: string[]) => parts.filter((part) => part !== "").join(" · ")

function groupsOfOwn({ customers, checkoutPages, transactions, invoices, subscriptions }: OwnHits): PaletteGroup[] {
  return filled([
    {
      heading: "Clientes",
      entries: customers.map(({ _id, name, email, phone }) => ({
        id: _id,
        icon: "user",
        label: name,
        note: email || maskPhone(phone),
        act: { to: "/customers/$id", params: { id: _id } },
      })),
    },
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
      heading: "A receber",
      entries: invoices.map(({ _id, customerName, description, amount, dueDate, state }) => ({
        id: _id,
        icon: "calendar",
        label: customerName || erasedDataLabel,
        note: noteOf(description, invoiceStateLabels[state], formatDay(dueDate)),
        amount,
        act: { to: "/receivables", search: { invoice: _id } },
      })),
    },
    {
      heading: "Assinaturas",
      entries: subscriptions.map(({ _id, customerName, title, amount, status }) => ({
        id: _id,
        icon: "refresh",
        label: customerName,
        note: noteOf(title, subscriptionStatusLabels[status]),
        amount,
        act: { to: "/subscriptions/$id", params: { id: _id } },
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

function groupsOfAll({ users, checkoutPages, transactions, withdrawals }: AllHits): PaletteGroup[] {
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

/** The server's search needs at least this many characters. */
const minLength = 3

/** Earlier hits stay while the next search is under way. */
export function hitsQuery(role: Role, words: string) {
  return queryOptions({
    queryKey: ["search", role, words],
    queryFn: async ({ signal }) => {
      const input = { query: { q: words }, signal }
      return role === "admin"
        ? groupsOfAll((await call(heads.searchAll, input)).data)
        : groupsOfOwn((await call(heads.searchOwn, input)).data)
    },
    enabled: isLongEnough(words),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
}

export function isLongEnough(words: string): boolean {
  return [...words].length >= minLength
}
