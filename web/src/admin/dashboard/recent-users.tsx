import { Link } from "@tanstack/react-router"
import type { UserView } from "@tilinta/contract/api/users-endpoints"
import { formatDateTime } from "#format/date.ts"
import { EmptyState } from "#ui/empty-state.tsx"
import { RowText } from "#ui/row-text.tsx"
import { adminTexts } from "../admin-texts.ts"
import { UserStatusBadge } from "../users/user-badges.tsx"
import { shownRows } from "./dashboard-data.ts"
import { RecentCard } from "./recent-card.tsx"

export function RecentUsers({ rows, waiting }: { rows: readonly UserView[] | undefined; waiting: boolean }) {
  return (
    <RecentCard
      title="Usuários recentes"
      to="/admin/users"
      seeAll="Ver todos"
      count={rows?.length}
      waiting={waiting}
      waitingLabel="Carregando usuários"
      empty={<EmptyState icon="user" title={adminTexts.noUsers} />}
    >
      <ul>
        {rows?.slice(0, shownRows).map((user) => (
          <RecentUser key={user._id} user={user} />
        ))}
      </ul>
    </RecentCard>
  )
}

function RecentUser({ user }: { user: UserView }) {
  return (
    <li className="flex min-h-[67px] items-center justify-between gap-3 border-t border-line px-4 py-2 max-md:px-3">
      <Link to="/admin/users" search={{ user: user._id }} className="row-link flex-1">
        <RowText title={user.name} note={user.email} />
      </Link>
      <div className="grid flex-none justify-items-end gap-1">
        <UserStatusBadge active={user.active} />
        <span className="text-meta text-t3 tabular-nums">{formatDateTime(user.createdAt)}</span>
      </div>
    </li>
  )
}
