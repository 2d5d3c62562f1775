import { formatCount } from "#format/count.ts"
import { IconButton } from "./icon-button.tsx"

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

export function Pagination({ page, perPage, total, onPage }: Props) {
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
