interface Props {
  caption: string
  heads: readonly [string, ...string[]]
  /** The first cell of each names its row. */
  rows: readonly (readonly [string, ...string[]])[]
}

/** What a chart shows, for who reads with the ears. */
export function ChartTable({ caption, heads, rows }: Props) {
  return (
    <div className="sr-only">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={heads[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
