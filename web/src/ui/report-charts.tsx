import { arc, area, curveMonotoneX, line, pie } from "d3-shape"
import { formatCount } from "#format/money-text.ts"
import { type ChartPoint, middleOf, Plot, type PlotScales } from "./plot.tsx"

interface Props {
  points: readonly ChartPoint[]
  label: string
  axisText: (value: number) => string
}

export function LineChart({ points, label, axisText }: Props) {
  return (
    <Plot points={points} label={label} axisText={axisText}>
      {(scales, active) => (
        <>
          <path d={belowPath(points, scales)} className="fill-sky" fillOpacity={0.12} />
          <path d={linePath(points, scales)} className="fill-none stroke-sky" strokeWidth={2.5} strokeLinecap="round" />
          {points.map(({ title, value }, index) => (
            <circle
              key={title}
              cx={middleOf(scales.x, index)}
              cy={scales.y.at(value)}
              r={index === active ? 6 : 4}
              className="fill-sky stroke-s1"
              strokeWidth={2}
            />
          ))}
        </>
      )}
    </Plot>
  )
}

function linePath(points: readonly ChartPoint[], { x, y }: PlotScales): string {
  const path = line<ChartPoint>()
    .x((_, index) => middleOf(x, index))
    .y(({ value }) => y.at(value))
    .curve(curveMonotoneX)
  return path([...points]) ?? ""
}

function belowPath(points: readonly ChartPoint[], { x, y }: PlotScales): string {
  const path = area<ChartPoint>()
    .x((_, index) => middleOf(x, index))
    .y0(y.at(0))
    .y1(({ value }) => y.at(value))
    .curve(curveMonotoneX)
  return path([...points]) ?? ""
}

interface DoughnutPart {
  label: string
  value: number
}

const tones = [
  { fill: "fill-mint", dot: "bg-mint" },
  { fill: "fill-sky", dot: "bg-sky" },
  { fill: "fill-amber", dot: "bg-amber" },
  { fill: "fill-coral", dot: "bg-coral" },
  { fill: "fill-ctl", dot: "bg-ctl" },
] as const

const radius = 92
const percentFormat = new Intl.NumberFormat("pt-BR", { style: "percent", maximumFractionDigits: 1 })

/** A ring with the total in its middle; the list next to it names each colour. */
export function DoughnutChart({ parts, unit }: { parts: readonly DoughnutPart[]; unit: string }) {
  const whole = parts.reduce((sum, { value }) => sum + value, 0)
  const slices = pie<DoughnutPart>()
    .value(({ value }) => value)
    .sort(null)([...parts])
  const ring = arc<(typeof slices)[number]>()
    .innerRadius(radius - 26)
    .outerRadius(radius)
    .cornerRadius(parts.length > 1 ? 5 : 0)
    .padAngle(parts.length > 1 ? 0.02 : 0)
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-8 gap-y-5">
      <div className="relative flex-none">
        <svg
          width={radius * 2}
          height={radius * 2}
          viewBox={`${-radius} ${-radius} ${radius * 2} ${radius * 2}`}
          aria-hidden="true"
          className="block"
        >
          {slices.map((slice, index) => (
            <path key={slice.data.label} d={ring(slice) ?? ""} className={toneOf(index).fill} />
          ))}
        </svg>
        <p className="absolute inset-0 grid place-content-center text-center">
          <b className="block text-[25px] leading-tight font-bold tracking-[-0.03em] tabular-nums">
            {formatCount(whole)}
          </b>
          <span className="block text-meta text-t3">{unit}</span>
        </p>
      </div>
      <ul className="grid min-w-40 flex-1 gap-2">
        {parts.map(({ label, value }, index) => (
          <li key={label} className="flex items-center gap-2.5">
            <i aria-hidden="true" className={`size-2.5 flex-none rounded-[3px] ${toneOf(index).dot}`} />
            <span className="min-w-0 flex-1">{label}</span>
            <span className="text-label text-t3 tabular-nums">{percentFormat.format(value / whole)}</span>
            <b className="font-[650] tabular-nums">{formatCount(value)}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

function toneOf(index: number): (typeof tones)[number] {
  return tones[Math.min(index, tones.length - 1)] ?? tones[0]
}
