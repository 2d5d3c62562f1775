import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query"
import { type ReactNode, useCallback } from "react"
import { failureOf } from "#api/api-error.ts"
import { formatCount } from "#format/money-text.ts"
import { Button, IconButton } from "./button.tsx"
import { Card, EmptyState, LoadFailure, RowsSkeleton } from "./card.tsx"
import type { IconName } from "./icon.tsx"
import { ScreenHead, type ScreenHeadProps } from "./tabs.tsx"

export function pageCount(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage))
}

interface Props {
  page: number
  perPage: number
  /** Undefined while counting: then this page is full, and another may follow. */
  total: number | undefined
  onPage: (page: number) => void
}

function Pagination({ page, perPage, total, onPage }: Props) {
  const pages = total === undefined ? page + 1 : pageCount(total, perPage)
  if (pages === 1 && page === 1) return null
  return (
    <nav aria-label="Paginação" className="flex items-center justify-between gap-3 px-4 py-3 text-meta text-t3">
      <p className="tabular-nums">{page > pages ? "Fim da lista" : partText(page, perPage, total)}</p>
      <div className="flex items-center gap-1">
        <IconButton
          icon="chevronLeft"
          label="Página anterior"
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
          className="disabled:opacity-40"
        />
        <span className="px-1 whitespace-nowrap tabular-nums text-t2">
          Página {formatCount(page)}
          {total !== undefined && ` de ${formatCount(pages)}`}
        </span>
        <IconButton
          icon="chevronRight"
          label="Próxima página"
          disabled={page >= pages}
          onClick={() => onPage(page + 1)}
          className="disabled:opacity-40"
        />
      </div>
    </nav>
  )
}

/** "101–200 de 1.234" */
function partText(page: number, perPage: number, total: number | undefined): string {
  const first = formatCount((page - 1) * perPage + 1)
  const last = formatCount(Math.min(total ?? Number.POSITIVE_INFINITY, page * perPage))
  return total === undefined ? `${first}–${last}` : `${first}–${last} de ${formatCount(total)}`
}

/** A route of any screen. What is written into its address is typed by what is read from it. */
interface ListRoute<Search> {
  useSearch: () => Search
  useNavigate: () => (to: never) => Promise<void>
}

type Navigate = (to: { search: (old: object) => object; replace?: boolean }) => Promise<void>

interface Waiting {
  rows: number
  label: string
}

interface Options<Reply, Key extends QueryKey> {
  query: UseQueryOptions<Reply, Error, Reply, Key>
  refreshMs?: number | false
  /** Words for a failure that the server did not explain. */
  failed: string
  waiting: Waiting
  /** The page shown, for a list with paging by number. */
  paging?: { page: number; perPage: number }
}

/** Asks for a list's rows, keeps them while others load, and writes filters into the address. */
export function useListPage<Search extends object, Reply, Key extends QueryKey>(
  route: ListRoute<Search>,
  { query, refreshMs, failed, waiting, paging }: Options<Reply, Key>,
) {
  // oxlint-disable-next-line react/hooks -- a screen's route never changes
  const navigate = route.useNavigate() as unknown as Navigate
  const list = useQuery({
    ...query,
    placeholderData: keepPreviousData,
    ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
  })
  /** Replaces a part of the address: closing a dialog is no step to go back to. */
  const set = useCallback(
    (change: Partial<Search>) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true }),
    [navigate],
  )
  /** The same, back on the first page. */
  const filter = useCallback(
    (change: Partial<Search>) =>
      void navigate({ search: (old) => ({ ...old, page: undefined, ...change }), replace: true }),
    [navigate],
  )
  const onPage = (next: number) => void navigate({ search: (old) => ({ ...old, page: next === 1 ? undefined : next }) })
  const { results } = (list.data ?? {}) as { results?: number }
  const pages = paging && { ...paging, total: results, onPage }
  return { list, set, filter, screen: { ...listState(list, failed, waiting), ...pages } }
}

interface Loading {
  error: unknown
  isFetching: boolean
  isPending: boolean
  refetch: () => unknown
}

/** How loading goes, as the list's frame shows it: a failure stands above rows that are still there. */
export function listState(list: Loading, failed: string, waiting: Waiting) {
  return {
    failure: failureOf(list.error, failed),
    onRetry: () => void list.refetch(),
    busy: list.isFetching,
    waiting: list.isPending ? waiting : null,
  }
}

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

interface ListScreenProps extends Partial<Pages>, ScreenHeadProps {
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
export function ListScreen(props: ListScreenProps) {
  const {
    title,
    section,
    tabs,
    intro,
    actions,
    failure,
    waiting,
    page,
    perPage,
    total,
    mayGoOn = false,
    onPage,
  } = props
  return (
    <>
      <ScreenHead title={title} section={section} tabs={tabs} intro={intro} actions={actions} />
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
function NothingFound({ title, onClear }: { title: string; onClear: () => void }) {
  return (
    <EmptyState icon="search" title={title} action={<Button onClick={onClear}>Limpar filtros</Button>}>
      Nada corresponde aos filtros escolhidos.
    </EmptyState>
  )
}

interface NoRowsProps {
  /** True when filters hide every row. */
  filtered: boolean
  onClear: () => void
  title: string
  /** The title when filters hide every row, where it differs. */
  filteredTitle?: string
  icon: IconName
  action?: ReactNode
  children?: ReactNode
}

export function NoRows({ filtered, onClear, title, filteredTitle = title, ...empty }: NoRowsProps) {
  return filtered ? <NothingFound title={filteredTitle} onClear={onClear} /> : <EmptyState title={title} {...empty} />
}

interface MoreButtonProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  children: string
  className?: string
}

/** Loads the next part of a list; nothing once all of it is there. */
export function MoreButton({ list, children, className = "justify-self-center" }: MoreButtonProps) {
  if (!list.hasNextPage) return null
  return (
    <Button className={className} disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      {children}
    </Button>
  )
}
