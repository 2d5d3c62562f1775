import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { Card } from "./card.tsx"
import { EmptyState } from "./empty-state.tsx"
import { LoadFailure } from "./load-failure.tsx"
import { PageTitle } from "./page-title.tsx"
import { Pagination } from "./pagination.tsx"
import { RowsSkeleton } from "./skeleton.tsx"

/** Paging by number; a list with keyset paging renders its own controls. */
interface Pages {
  page: number
  perPage: number
  /** Undefined until the server has counted. */
  total: number | undefined
  /** Set while the total is unknown and the rows fill the page: another page may follow. */
  mayGoOn?: boolean
  onPage: (page: number) => void
}

interface Props extends Partial<Pages> {
  title: string
  intro: string
  /** Content next to the title: the one primary action, or 'Exportar'. */
  actions?: ReactNode
  failure: { message: string; detail: string | undefined } | null
  onRetry: () => void
  busy: boolean
  /** Totals of the whole list, between the title and the rows. */
  summary?: ReactNode
  filters: ReactNode
  /** Set while nothing is loaded yet: the number of skeleton rows. */
  waiting: { rows: number; label: string } | null
  /** The rows, or their empty state. */
  children: ReactNode
}

/** The frame of every list: the rows shown stay while new ones load, and when loading fails. */
export function ListScreen(props: Props) {
  const { title, intro, actions, failure, waiting, page, perPage, total, mayGoOn = false, onPage } = props
  return (
    <>
      <div className="mb-1 flex min-h-11 flex-wrap items-center justify-between gap-x-5 gap-y-2">
        <div>
          <PageTitle title={title} />
          <p className="mt-1 text-t2 max-md:hidden">{intro}</p>
        </div>
        {actions !== undefined && <div className="flex flex-none flex-wrap gap-2 md:gap-3">{actions}</div>}
      </div>
      {failure !== null && <LoadFailure {...failure} onRetry={props.onRetry} busy={props.busy} />}
      {props.summary}
      <Card className="p-2 pt-3" aria-busy={props.busy}>
        {props.filters}
        {waiting !== null && <RowsSkeleton {...waiting} />}
        {props.children}
        {page !== undefined && perPage !== undefined && (total !== undefined || mayGoOn) && onPage !== undefined && (
          <Pagination page={page} perPage={perPage} total={total} onPage={onPage} />
        )}
      </Card>
    </>
  )
}

/** Shown instead of the empty state when filters hide every row. */
export function NothingFound({ title, onClear }: { title: string; onClear: () => void }) {
  return (
    <EmptyState icon="search" title={title} action={<Button onClick={onClear}>Limpar filtros</Button>}>
      Nada corresponde aos filtros escolhidos.
    </EmptyState>
  )
}
