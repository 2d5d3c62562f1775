import { type ChartPoint, middleOf, Plot, type PlotScales } from "./plot.tsx"

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

interface BarChartProps {
  points: readonly ChartPoint[]
  label: string
  axisText: (value: number) => string
  /** Earlier values, drawn as a mark across each bar. */
  before?: readonly number[]
  heightPx?: number
}

const widestPx = 56

/** The last bar is the present and is highlighted. */
export function BarChart({ points, label, axisText, before = [], heightPx }: BarChartProps) {
  return (
    <Plot points={points} label={label} axisText={axisText} alsoUpTo={Math.max(0, ...before)} heightPx={heightPx}>
      {(scales, active) =>
        points.map(({ title, value }, index) => (
          <Bar
            key={title}
            scales={scales}
            index={index}
            value={value}
            before={before[index] ?? 0}
            fill={index === points.length - 1 ? "fill-mint" : index === active ? "fill-mint-h" : "fill-mint opacity-50"}
          />
        ))
      }
    </Plot>
  )
}

interface BarProps {
  scales: PlotScales
  index: number
  value: number
  before: number
  fill: string
}

function Bar({ scales: { x, y }, index, value, before, fill }: BarProps) {
  const width = Math.min(widestPx, x.width)
  const left = middleOf(x, index) - width / 2
  return (
    <>
      <path d={barPath(left, y.at(value), width, y.at(0))} className={fill} />
      {before > 0 && (
        <path
          d={markPath(left - 3, left + width + 3, y.at(before))}
          className="stroke-t2"
          strokeWidth={2}
          strokeLinecap="round"
        />
      )}
    </>
  )
}

function markPath(from: number, to: number, at: number): string {
  return `M${from},${at}H${to}`
}

/** Rounded at the top, flat at the bottom; a value of 0 draws nothing. */
function barPath(left: number, top: number, width: number, ground: number): string {
  const tall = ground - top
  if (tall <= 0) return ""
  const r = Math.min(7, width / 2, tall)
  return `M${left},${ground}v${-(tall - r)}q0,${-r} ${r},${-r}h${width - 2 * r}q${r},0 ${r},${r}v${tall - r}z`
}
