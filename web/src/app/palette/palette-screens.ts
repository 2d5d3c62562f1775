import type { UserView } from "@tilinta/contract/api/users-endpoints"
import type { MenuEntry } from "../menu-entries.ts"
import type { PaletteEntry } from "./palette-entry.ts"

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
  "/developers": "api chaves desenvolvedores integração",
  "/admin/approvals": "segunda pessoa aprovar pendente",
  "/admin/unmatched-payments": "pix desconhecido suspenso",
  "/admin/checkout-pages": "cobrança checkout links",
  "/admin/page-reports": "denunciar golpe suspender página",
  "/admin/disputes": "contestação med disputa",
  "/admin/daily-closes": "conciliação dia banco",
}

/** The menu's screens, and those that no menu shows. */
export function screensOf(user: UserView, menu: readonly MenuEntry[]): readonly Findable[] {
  return [...menu.map(toEntry), ...elsewhere[user.role], profile]
}

function toEntry({ to, icon, label }: MenuEntry): Findable {
  return { id: to, icon, label, words: otherWords[to] ?? "", act: { to } }
}

interface Deeds {
  leave: () => void
  showShortcuts: () => void
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
    { id: "shortcuts", icon: "keyboard", label: "Atalhos do teclado", words: "ajuda", act: showShortcuts },
    { id: "leave", icon: "logOut", label: "Sair", words: "logout encerrar sessão", act: leave },
  ]
}
