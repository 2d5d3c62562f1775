import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link, type LinkProps } from "@tanstack/react-router"
import type { getUserEndpoint } from "@tilinta/contract/admin-users"
import * as heads from "@tilinta/contract/heads"
import type { UserView } from "@tilinta/contract/users"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call, type ReplyOf } from "#api/client.ts"
import { formatDateTime } from "#format/dates.ts"
import { countOf, formatCount } from "#format/money-text.ts"
import { useReais } from "#ui/amounts.tsx"
import { Button } from "#ui/button.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Icon } from "#ui/icon.tsx"
import { toast } from "#ui/toast.ts"
import { usersKey } from "./users-data.ts"

/** The owner stopped everything: an administrator lifts it once it is sure who asks. */
export function FrozenNote({ user, since }: { user: UserView; since: string }) {
  const [asking, setAsking] = useState(false)
  const queryClient = useQueryClient()
  const unfreeze = useMutation({
    mutationFn: () => call(heads.unfreezeUser, { params: { id: user._id } }),
    onSuccess: ({ message }) => toast.success(message, user.name),
    onError: (error) => toast.error(messageOf(error, adminTexts.userNotUnfrozen), detailOf(error)),
    onSettled: () => {
      setAsking(false)
      return queryClient.invalidateQueries({ queryKey: usersKey })
    },
  })
  return (
    <div className="grid gap-3 rounded-m border border-line-2 bg-amber-bg px-4 py-3 text-label">
      <p>
        O titular congelou os saques em {formatDateTime(since)}: avisou que não foi ele quem mexeu na conta. Nada é
        solicitado, aprovado nem pago.
      </p>
      <Button onClick={() => setAsking(true)}>Liberar saques</Button>
      {asking && (
        <ConfirmDialog
          title="Liberar os saques?"
          verb="Liberar saques"
          busy={unfreeze.isPending}
          onConfirm={() => unfreeze.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            <b className="font-semibold text-t1">{user.name}</b> ({user.email}) volta a poder sacar. Confirme antes com
            o titular, por outro meio que não seja o e-mail.
          </p>
          <p>Os próximos saques ainda esperam, como depois de qualquer mudança feita por um administrador.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

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
