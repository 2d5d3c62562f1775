import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { detailOf, hasStatus, messageOf } from "#api/api-error.ts"
import { useShortcut } from "#ui/browser-hooks.ts"
import { LoadFailure } from "#ui/card.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"

interface Frame {
  current: HTMLElement | null
}

function rowsOf(table: HTMLElement | null): HTMLElement[] {
  return [...(table?.querySelectorAll<HTMLElement>("tbody tr") ?? [])]
}

/** -1 when the focus is elsewhere. */
export function focusedRow(table: HTMLElement | null): number {
  return rowsOf(table).findIndex((row) => row.contains(document.activeElement))
}

/** J moves to the next row, K to the previous one; the focus goes to the row's opening button. */
export function useRowMoves(table: Frame): void {
  const move = (step: number) => {
    const to = Math.max(0, focusedRow(table.current) + step)
    rowsOf(table.current)[to]?.querySelector("a")?.focus()
  }
  useShortcut("j", () => move(1))
  useShortcut("k", () => move(-1))
}

/** Toggles one row; with shift held, every row between it and the previously toggled one as well. */
export function pick(
  chosen: ReadonlySet<string>,
  { ids, id, from }: { ids: readonly string[]; id: string; from: string | null },
): Set<string> {
  const next = new Set(chosen)
  const [here, there] = [ids.indexOf(id), from === null ? -1 : ids.indexOf(from)]
  const range = there === -1 ? [id] : ids.slice(Math.min(here, there), Math.max(here, there) + 1)
  const isOn = !chosen.has(id)
  for (const each of range) {
    if (isOn) next.add(each)
    else next.delete(each)
  }
  return next
}

interface Props<Row> {
  query: UseQueryResult<Row>
  waiting: string
  failed: string
  children: (row: Row) => ReactNode
}

/** A dialog's content for the row that its address names, whether or not the list has loaded it. */
export function OpenedRow<Row>({ query, waiting, failed, children }: Props<Row>) {
  const { data, error, isFetching, refetch } = query
  const isUnknown = hasStatus(error, 404)
  return (
    <>
      {data === undefined && error === null && <Waiting label={waiting} />}
      {isUnknown && (
        <p role="alert" className="py-6 text-center text-t2">
          {messageOf(error, failed)}
        </p>
      )}
      {error !== null && !isUnknown && (
        <div className="mb-5 last:mb-0">
          <LoadFailure
            message={messageOf(error, failed)}
            detail={detailOf(error)}
            onRetry={() => void refetch()}
            busy={isFetching}
          />
        </div>
      )}
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
