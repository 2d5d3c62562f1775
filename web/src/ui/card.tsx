import { Link, type LinkProps } from "@tanstack/react-router"
import type { ComponentPropsWithRef, ReactNode } from "react"
import { failureDetail, failureOf } from "#api/api-error.ts"
import { Button } from "./button.tsx"
import { Icon, type IconName } from "./icon.tsx"
import { Skeleton } from "./lazy-part.tsx"

export function Card({ className = "p-6", ...rest }: ComponentPropsWithRef<"section">) {
  return (
    <section
      className={`rounded-xl border border-line bg-s1 shadow-card print:border-line-2 print:[box-shadow:none] ${className}`}
      {...rest}
    />
  )
}

export function CardHeader({ title, id, children }: { title: string; id?: string; children?: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4">
      <h2 id={id} className="text-section font-[650]">
        {title}
      </h2>
      {children}
    </div>
  )
}

interface Props {
  icon: IconName
  title: string
  children?: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon, title, children, action }: Props) {
  return (
    <div className="grid justify-items-center gap-3 px-6 py-12 text-center">
      <span className="grid size-14 place-items-center rounded-l bg-s2 text-t3">
        <Icon name={icon} className="size-6" />
      </span>
      <div className="grid max-w-sm gap-1">
        <p className="text-balance font-[650]">{title}</p>
        {children !== undefined && <p className="text-balance text-label text-t3">{children}</p>}
      </div>
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  )
}

interface LoadFailureProps {
  message: string
  detail?: string | undefined
  onRetry: () => void
  busy?: boolean
}

/** Shown above the content that is still there, or alone when there is none. */
export function LoadFailure({ message, detail, onRetry, busy = false }: LoadFailureProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-l border border-coral-line bg-coral-bg px-5 py-4"
    >
      <Icon name="alert" className="size-5 text-coral" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-semibold">{message}</p>
        {detail !== undefined && <p className="text-label text-t2">{detail}</p>}
      </div>
      <Button onClick={onRetry} disabled={busy}>
        Tentar novamente
      </Button>
    </div>
  )
}

interface RecentCardProps {
  title: string
  /** The whole list. */
  to: NonNullable<LinkProps["to"]>
  seeAll: string
  /** How many there are to show; undefined until loaded. */
  count: number | undefined
  waiting: { rows: number; label: string } | null
  empty: ReactNode
  children: ReactNode
}

/** The newest entries of a list, with a link to the whole. */
export function RecentCard({ title, to, seeAll, count, waiting, empty, children }: RecentCardProps) {
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
      {waiting !== null && <RowsSkeleton {...waiting} />}
      {count !== undefined && count > 0 && children}
      {count === undefined && waiting === null && <p className="px-4 pb-6 text-t3">Indisponível no momento.</p>}
      {count === 0 && empty}
    </Card>
  )
}

interface Loading {
  error: unknown
  isFetching: boolean
  refetch: () => unknown
}

/** Several queries as one: the first failure counts, and a retry asks for all of them again. */
export function together(queries: readonly Loading[]): Loading {
  return {
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    isFetching: queries.some(({ isFetching }) => isFetching),
    refetch: () => queries.map(({ refetch }) => refetch()),
  }
}

interface QueryFailureProps {
  query: Loading
  failed: string
  /** Keeps `failed` above the server's words, which replace it otherwise. */
  detailed?: boolean
  className?: string
}

/** Why a part of the screen did not load; nothing while it goes well. */
export function QueryFailure({ query, failed, detailed = false, className }: QueryFailureProps) {
  const { error, isFetching, refetch } = query
  const failure = failureOf(error, failed)
  if (failure === null) return null
  const words = detailed ? { message: failed, detail: failureDetail(error) } : failure
  return (
    <div className={className}>
      <LoadFailure {...words} onRetry={() => void refetch()} busy={isFetching} />
    </div>
  )
}

/** As many rows as will load, at their height; shown only after a short delay. */
export function RowsSkeleton({ rows, label }: { rows: number; label: string }) {
  return (
    <div role="status" className="after-a-moment">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-[67px] items-center justify-between gap-6 border-t border-line px-4">
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-3.5 w-2/5" />
            <Skeleton className="h-3 w-1/4" />
          </div>
          <Skeleton className="h-6 w-20 rounded-full" />
          <Skeleton className="h-3.5 w-24 max-md:hidden" />
        </div>
      ))}
    </div>
  )
}
