import { IconButton } from "./icon-button.tsx"

export function pageCount(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage))
}

interface Props {
  page: number
  perPage: number
  total: number
  onPage: (page: number) => void
}

export function Pagination({ page, perPage, total, onPage }: Props) {
  const pages = pageCount(total, perPage)
  if (pages === 1 && page === 1) return null
  const first = (page - 1) * perPage + 1
  return (
    <nav aria-label="Paginação" className="flex items-center justify-between gap-3 px-4 py-3 text-meta text-t3">
      <p className="tabular-nums">
        {page > pages ? "Fim da lista" : `${first}–${Math.min(total, page * perPage)} de ${total}`}
      </p>
      <div className="flex items-center gap-1">
        <IconButton
          icon="chevronLeft"
          label="Página anterior"
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
          className="disabled:opacity-40"
        />
        <span className="px-1 tabular-nums text-t2">
          Página {page} de {pages}
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
