import type { SalesDayView } from "@tilinta/contract/api/seller-report-endpoints"
import { type ScaleLinear, scaleBand, scaleLinear } from "d3-scale"
import { type KeyboardEvent, useRef, useState } from "react"
import { useReais } from "#ui/shown-amounts.ts"
import { useWidth } from "#ui/use-width.ts"
import { chartHeight, DayBar, inset } from "./day-bar.tsx"
import { axisLabel, dayLabel } from "./sales-figures.ts"

interface Props {
  days: readonly SalesDayView[]
  previousDays: readonly SalesDayView[]
  hidesAmounts: boolean
}

const ticks = 4
const labelPx = 56
const tipPx = 168

function scalesOf({ days, previousDays }: Props, width: number) {
  const highest = Math.max(1, ...days.map(({ net }) => net), ...previousDays.map(({ net }) => net))
  const x = scaleBand<number>()
    .domain(days.map((_, index) => index))
    .range([inset.left, Math.max(inset.left, width - inset.right)])
    .paddingInner(days.length > 7 ? 0.3 : 0.5)
    .paddingOuter(0.25)
  const y = scaleLinear()
    .domain([0, highest])
    .nice(ticks)
    .range([chartHeight - inset.bottom, inset.top])
  return { x, y }
}

/** Bars of net sales, with the days before as a mark. The arrow keys walk from day to day. */
export function SalesBars(props: Props) {
  const { days, previousDays, hidesAmounts } = props
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [active, setActive] = useState<number | null>(null)
  const { x, y } = scalesOf(props, width)
  const last = days.length - 1
  const labelEvery = Math.ceil(days.length / Math.max(1, Math.floor((width - inset.left) / labelPx)))
  const shown = active === null ? undefined : days[active]
  const middle = (x(active ?? 0) ?? 0) + x.bandwidth() / 2

  return (
    <div ref={frame} className="relative min-w-0" onPointerLeave={() => setActive(null)}>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Dia do gráfico"
        aria-orientation="horizontal"
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(active ?? last) + 1}
        aria-valuetext={useDayText(days, active ?? last)}
        onKeyDown={(event) => walk(event, active ?? last, last, setActive)}
        onFocus={() => setActive((at) => at ?? last)}
        onBlur={() => setActive(null)}
        className="rounded-m"
      >
        <svg width={width} height={chartHeight} aria-hidden="true" className="block overflow-visible">
          <Axis y={y} right={width - inset.right} hidesAmounts={hidesAmounts} />
          {days.map((day, index) => (
            <DayBar
              key={day.day}
              {...{ day, index, x, y }}
              before={previousDays[index]?.net ?? 0}
              isActive={index === active}
              isLast={index === last}
              isLabelled={(last - index) % labelEvery === 0}
              onActive={() => setActive(index)}
            />
          ))}
        </svg>
      </div>
      {shown !== undefined && (
        <Tip
          day={shown}
          isLast={active === last}
          left={Math.min(Math.max(middle, tipPx / 2), Math.max(tipPx / 2, width - tipPx / 2))}
        />
      )}
    </div>
  )
}

function walk(event: KeyboardEvent, at: number, last: number, go: (index: number | null) => void): void {
  if (event.key === "Escape") go(null)
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
  if (to === undefined) return
  event.preventDefault()
  go(Math.min(last, Math.max(0, to)))
}

function Axis({ y, right, hidesAmounts }: { y: ScaleLinear<number, number>; right: number; hidesAmounts: boolean }) {
  return y.ticks(ticks).map((value) => (
    <g key={value}>
      <line
        x1={inset.left}
        x2={right}
        y1={y(value)}
        y2={y(value)}
        className={value === 0 ? "stroke-line-2" : "stroke-line"}
        strokeDasharray={value === 0 ? undefined : "3 4"}
      />
      <text x={inset.left - 10} y={y(value) + 4} textAnchor="end" className="fill-t3 text-[12.5px]">
        {hidesAmounts ? "••" : axisLabel(value)}
      </text>
    </g>
  ))
}

function useDayText(days: readonly SalesDayView[], index: number): string {
  const reais = useReais()
  const day = days[index]
  if (day === undefined) return ""
  return `${dayLabel(day.day, index === days.length - 1)}: ${reais(day.net)} líquidos, ${salesText(day.count)}`
}

function salesText(count: number): string {
  return count === 1 ? "1 venda" : `${count} vendas`
}

function Tip({ day, isLast, left }: { day: SalesDayView; isLast: boolean; left: number }) {
  const reais = useReais()
  return (
    <div
      aria-hidden="true"
      style={{ left, width: tipPx - 8 }}
      className="pointer-events-none absolute -top-3 -translate-x-1/2 rounded-m border border-line-2 bg-s2 px-3 py-2 text-meta shadow-float"
    >
      <p className="text-t3">{dayLabel(day.day, isLast)}</p>
      <p className="font-[650] tabular-nums">{reais(day.net)}</p>
      <p className="text-t2">{salesText(day.count)}</p>
    </div>
  )
}
