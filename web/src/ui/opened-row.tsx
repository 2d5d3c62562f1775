import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { hasStatus, messageOf } from "#api/api-error.ts"
import { Skeleton } from "#ui/lazy-part.tsx"
import { QueryFailure } from "./card.tsx"

interface Props<Row> {
  query: UseQueryResult<Row>
  waiting: string
  failed: string
  children: (row: Row) => ReactNode
}

/** A dialog's content for the row that its address names, whether or not the list has loaded it. */
export function OpenedRow<Row>({ query, waiting, failed, children }: Props<Row>) {
  const { data, error } = query
  const isUnknown = hasStatus(error, 404) || hasStatus(error, 403)
  return (
    <>
      {data === undefined && error === null && <Waiting label={waiting} />}
      {isUnknown && (
        <p role="alert" className="py-6 text-center text-t2">
          {messageOf(error, failed)}
        </p>
      )}
      {!isUnknown && <QueryFailure query={query} failed={failed} className="mb-5 last:mb-0" />}
      {data !== undefined && !isUnknown && children(data)}
    </>
  )
}

function Waiting({ label }: { label: string }) {
  return (
    <div role="status" className="after-a-moment grid gap-4">
      <span className="sr-only">{label}</span>
      <Skeleton className="h-10 w-48" />
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  )
}
