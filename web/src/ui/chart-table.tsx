interface Props {
  caption: string
  heads: readonly [string, ...string[]]
  /** The first cell of each row is its header. */
  rows: readonly (readonly [string, ...string[]])[]
  /** Replaces the chart when true; otherwise the table is for screen readers only. */
  isShown?: boolean
}

const cellClass = "border-b border-line px-2 py-2 font-normal whitespace-nowrap"

/** A chart's data in words and numbers. */
export function ChartTable({ caption, heads, rows, isShown = false }: Props) {
  return (
    <div className={isShown ? "overflow-x-auto" : "sr-only"}>
      <table className="w-full text-label">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={head} scope="col" className={`${cellClass} text-t3 ${index === 0 ? "text-left" : "text-right"}`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row" className={`${cellClass} text-left`}>
                {name}
              </th>
              {cells.map((cell, index) => (
                <td key={heads[index + 1]} className={`${cellClass} text-right tabular-nums`}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
