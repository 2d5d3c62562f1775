/** Strict RFC 4180 with `;`, plus what the platform promises: a byte order mark, and CRLF after every row. */
export function parseCsv(text: string): Record<string, string>[] {
  if (!text.startsWith("\ufeff")) throw new Error("no byte order mark")
  const [header, ...rows] = rowsOf(text.slice(1))
  if (header === undefined) throw new Error("no header")
  return rows.map((cells, index) => {
    if (cells.length !== header.length) throw new Error(`row ${index + 1} has ${cells.length} cells`)
    return Object.fromEntries(header.map((name, column) => [name, cells[column] ?? ""]))
  })
}

const cellPattern = /(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r\n)/y

function rowsOf(text: string): string[][] {
  const rows: string[][] = []
  let cells: string[] = []
  cellPattern.lastIndex = 0
  while (cellPattern.lastIndex < text.length) {
    const position = cellPattern.lastIndex
    const match = cellPattern.exec(text)
    if (match === null) throw new Error(`no CSV at ${position}: ${JSON.stringify(text.slice(position, position + 40))}`)
    const [, quoted, bare = "", end] = match
    cells.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (end === ";") continue
    rows.push(cells)
    cells = []
  }
  if (cells.length > 0) throw new Error("the last row has no end")
  return rows
}
