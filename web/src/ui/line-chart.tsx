import { area, curveMonotoneX, line } from "d3-shape"
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
          <path d={belowPath(points, scales)} className="fill-sky/12" />
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
