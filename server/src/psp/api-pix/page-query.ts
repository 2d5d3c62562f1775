import type { PspWindow } from "#psp/psp"

/** One page of a list, as every list of the standard is asked for. */
export function pageQuery(window: PspWindow, page: number, filters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({
    inicio: withoutMilliseconds(window.from),
    fim: withoutMilliseconds(window.to),
    ...filters,
    "paginacao.paginaAtual": String(page),
    "paginacao.itensPorPagina": "100",
  })
  return query.toString()
}

/** Santander refuses milliseconds; the others don't mind their absence. */
function withoutMilliseconds(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`
}
