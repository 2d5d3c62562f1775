import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Card, CardHeader } from "#ui/card.tsx"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { shownRows } from "./dashboard-data.ts"

interface Props {
  title: string
  to: "/admin/transactions" | "/admin/users"
  seeAll: string
  /** Undefined until loaded. */
  count: number | undefined
  waiting: boolean
  waitingLabel: string
  empty: ReactNode
  children: ReactNode
}

/** The newest entries of a list, with a link to the whole. */
export function RecentCard({ title, to, seeAll, count, waiting, waitingLabel, empty, children }: Props) {
  return (
    <Card className="p-2 pt-[18px]">
      <div className="px-4 pb-2 max-md:px-3">
        <CardHeader title={title}>
          <Link
            to={to}
            className="-my-2.5 inline-flex min-h-11 items-center text-label font-semibold text-mint underline-offset-4 hover:underline"
          >
            {seeAll}
          </Link>
        </CardHeader>
      </div>
      {waiting && <RowsSkeleton rows={shownRows} label={waitingLabel} />}
      {count !== undefined && count > 0 && children}
      {count === undefined && !waiting && <p className="px-4 pb-6 text-t3">Indisponível no momento.</p>}
      {count === 0 && empty}
    </Card>
  )
}
