import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import { failureOf } from "#api/api-error.ts"

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

/** What every list screen does: asks for its rows, keeps them while others load, and writes filters into the address. */
export function useListPage<Search extends object, Reply, Key extends QueryKey>(
  route: ListRoute<Search>,
  { query, refreshMs, failed, waiting, paging }: Options<Reply, Key>,
) {
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
