import type { SalesDayView } from "@tilinta/contract/api/seller-report-endpoints"
import type { ScaleBand, ScaleLinear } from "d3-scale"
import { line } from "d3-shape"
import { dayLabel } from "./sales-figures.ts"

export const chartHeight = 232
export const inset = { top: 14, right: 4, bottom: 28, left: 58 }

interface Props {
  day: SalesDayView
  index: number
  /** Net of the same day of the period before. */
  before: number
  isActive: boolean
  isLast: boolean
  isLabelled: boolean
  x: ScaleBand<number>
  y: ScaleLinear<number, number>
  onActive: () => void
}

export function DayBar({ day, index, before, isActive, isLast, isLabelled, x, y, onActive }: Props) {
  const left = x(index) ?? 0
  const width = x.bandwidth()
  return (
    <g onPointerEnter={onActive} onPointerDown={onActive}>
      <rect
        x={left - (x.step() - width) / 2}
        y={inset.top}
        width={x.step()}
        height={chartHeight - inset.top}
        className={isActive ? "fill-s2" : "fill-transparent"}
        rx={8}
      />
      <path
        d={barPath(left, y(day.net), width, y(0))}
        className={isLast ? "fill-mint" : isActive ? "fill-mint-h" : "fill-mint/45"}
      />
      {before > 0 && (
        <path
          d={markPath(left - 3, left + width + 3, y(before))}
          className="stroke-t2"
          strokeWidth={2}
          strokeLinecap="round"
        />
      )}
      {isLabelled && (
        <text
          x={left + width / 2}
          y={chartHeight - 8}
          textAnchor="middle"
          className={`text-[12.5px] ${isLast ? "fill-t1 font-[650]" : "fill-t3"}`}
        >
          {dayLabel(day.day, isLast)}
        </text>
      )}
    </g>
  )
}

function markPath(from: number, to: number, at: number): string {
  return (
    line()([
      [from, at],
      [to, at],
    ]) ?? ""
  )
}

/** Rounded above, flat on the ground; a day without sales has no bar. */
function barPath(left: number, top: number, width: number, ground: number): string {
  const tall = ground - top
  if (tall <= 0) return ""
  const r = Math.min(7, width / 2, tall)
  return `M${left},${ground}v${-(tall - r)}q0,${-r} ${r},${-r}h${width - 2 * r}q${r},0 ${r},${r}v${tall - r}z`
}
