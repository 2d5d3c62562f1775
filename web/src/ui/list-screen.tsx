import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { Card } from "./card.tsx"
import { EmptyState } from "./empty-state.tsx"
import { LoadFailure } from "./load-failure.tsx"
import { PageTitle } from "./page-title.tsx"
import { Pagination } from "./pagination.tsx"
import { RowsSkeleton } from "./skeleton.tsx"

/** Of lists that are counted; one that is read on by key brings its own. */
interface Pages {
  page: number
  perPage: number
  /** Undefined until the server said so. */
  total: number | undefined
  /** The rows are there before their number is, and fill the page: more may follow. */
  mayGoOn?: boolean
  onPage: (page: number) => void
}

interface Props extends Partial<Pages> {
  title: string
  intro: string
  /** Beside the title: the one primary action, 'Exportar'. */
  actions?: ReactNode
  failure: { message: string; detail: string | undefined } | null
  onRetry: () => void
  busy: boolean
  /** Between the title and the list, of everything there is. */
  summary?: ReactNode
  filters: ReactNode
  /** While nothing is there yet: as many rows as will come. */
  waiting: { rows: number; label: string } | null
  /** The rows, or what stands in their place. */
  children: ReactNode
}

/** The frame of every list: what is on the screen stays while new rows load, and when loading fails. */
export function ListScreen(props: Props) {
  const { title, intro, actions, failure, waiting, page, perPage, total, mayGoOn = false, onPage } = props
  return (
    <>
      <div className="mb-1 flex items-end justify-between gap-5 max-md:flex-col max-md:items-stretch">
        <div>
          <PageTitle title={title} />
          <p className="mt-1 text-t2">{intro}</p>
        </div>
        {actions !== undefined && <div className="flex flex-none flex-wrap gap-3 max-md:*:flex-1">{actions}</div>}
      </div>
      {failure !== null && <LoadFailure {...failure} onRetry={props.onRetry} busy={props.busy} />}
      {props.summary}
      <Card className="p-2 pt-4" aria-busy={props.busy}>
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

/** Other words than those of an empty list: here something is hidden. */
export function NothingFound({ title, onClear }: { title: string; onClear: () => void }) {
  return (
    <EmptyState icon="search" title={title} action={<Button onClick={onClear}>Limpar filtros</Button>}>
      Nada corresponde aos filtros escolhidos.
    </EmptyState>
  )
}
