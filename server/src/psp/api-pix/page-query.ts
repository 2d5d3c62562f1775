import type { PspWindow } from "#psp/psp"

export const USUAL_SIZE = 100

interface Page {
  page: number
  size?: number
  filters?: Readonly<Record<string, string>>
}

/** The query for one page of a list, the same for all lists of the standard. */
export function pageQuery(window: PspWindow, { page, size = USUAL_SIZE, filters = {} }: Page): string {
  const write = window.isNarrow === true ? toTheMillisecond : withoutMilliseconds
  const query = new URLSearchParams({
    inicio: write(window.from),
    fim: write(window.to),
    ...filters,
    "paginacao.paginaAtual": String(page),
    "paginacao.itensPorPagina": String(size),
  })
  return query.toString()
}

function toTheMillisecond(moment: Date): string {
  return moment.toISOString()
}

/** Santander refuses milliseconds; the others accept times without them. */
function withoutMilliseconds(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`
}
