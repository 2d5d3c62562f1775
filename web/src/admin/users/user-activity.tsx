import { Link, type LinkProps } from "@tanstack/react-router"
import type { getUserEndpoint } from "@tilinta/contract/api/admin-users-endpoints"
import type { ReplyOf } from "#api/client.ts"
import { countOf, formatCount } from "#format/count.ts"
import { Icon } from "#ui/icon.tsx"
import { useReais } from "#ui/shown-amounts.ts"

interface Props {
  email: string
  summary: ReplyOf<typeof getUserEndpoint>["data"]["summary"]
}

/** A user's activity in figures; each line links to it. */
export function UserActivity({ email, summary }: Props) {
  const shown = useReais()
  const search = { search: email }
  const entries: readonly { label: string; count: number; note: string; link: Pick<LinkProps, "to" | "search"> }[] = [
    {
      label: "Páginas de cobrança",
      count: summary.chargePages,
      note: countOf(summary.activeChargePages, "ativa", "ativas"),
      link: { to: "/admin/checkout-pages", search },
    },
    {
      label: "Transações",
      count: summary.transactions,
      note: countOf(summary.paidTransactions, "paga", "pagas"),
      link: { to: "/admin/transactions", search },
    },
    {
      label: "Saques em andamento",
      count: summary.withdrawalsInProgress,
      note: shown(summary.withdrawalsInProgressAmount),
      link: { to: "/admin/withdrawals", search },
    },
  ]
  return (
    <ul aria-label="Na plataforma" className="grid rounded-l border border-line">
      {entries.map(({ label, count, note, link }) => (
        <li key={label} className="border-line not-first:border-t">
          <Link {...link} className="flex min-h-[52px] items-center gap-3 rounded-l px-4 py-2 hover:bg-s2">
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{label}</span>
              <span className="block text-meta text-t3 tabular-nums">{note}</span>
            </span>
            <b className="font-[650] tabular-nums">{formatCount(count)}</b>
            <Icon name="chevronRight" className="size-4 stroke-2 text-t3" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
