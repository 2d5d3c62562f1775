import { type KeyboardEvent, type ReactNode, useRef, useState } from "react"
import { useWidth } from "./browser-hooks.ts"

/** Places of equal width along an axis, with gaps between them. */
interface Places {
  startOf: (index: number) => number
  /** From the start of one place to the start of the next. */
  step: number
  width: number
}

interface Gaps {
  /** Between two places, and before the first one: parts of a step. */
  between: number
  around: number
}

export function placesBetween(from: number, to: number, count: number, { between, around }: Gaps): Places {
  const step = (to - from) / Math.max(1, count - between + 2 * around)
  return { startOf: (index) => from + step * (around + index), step, width: step * (1 - between) }
}

/** Values from 0 to a round number that holds them all. */
interface Heights {
  at: (value: number) => number
  ticks: readonly number[]
}

/** Maps 0 to `ground` and the axis's round end to `top`. */
export function heightsUpTo(most: number, ground: number, top: number, tickCount: number): Heights {
  const step = roundStep(most, tickCount)
  const steps = Math.ceil(most / step)
  // Divided where the step is a fraction, because 3 × 0.2 is not 0.6.
  const ticks = Array.from({ length: steps + 1 }, (_, index) =>
    step < 1 ? index / Math.round(1 / step) : index * step,
  )
  return { at: (value) => ground + ((top - ground) * value) / (steps * step), ticks }
}

/** 1, 2 or 5 times a power of ten, so that about `count` steps reach `most`. */
function roundStep(most: number, count: number): number {
  const power = 10 ** Math.floor(Math.log10(most / count))
  const rest = most / count / power
  return power * (rest >= Math.sqrt(50) ? 10 : rest >= Math.sqrt(10) ? 5 : rest >= Math.sqrt(2) ? 2 : 1)
}

export interface ChartPoint {
  /** Text under the axis; labels must be unique. */
  label: string
  /** Full label, for the tooltip. */
  title: string
  value: number
  /** The formatted value. */
  text: string
  detail?: string
}

export interface PlotScales {
  x: Places
  y: Heights
}

interface Props {
  points: readonly ChartPoint[]
  /** Accessible name of the chart. */
  label: string
  /** Axis label of a round value; empty to leave it out. */
  axisText: (value: number) => string
  /** Another value that the axis must include. */
  alsoUpTo?: number
  heightPx?: number | undefined
  /** Draws the marks; `active` is the index under the pointer or the keyboard cursor. */
  children: (scales: PlotScales, active: number | null) => ReactNode
}

const usualHeight = 232
const inset = { top: 14, right: 4, bottom: 28, left: 58 }
const ticks = 4
const letterPx = 7.5
const tipPx = 168

function scalesOf(points: readonly ChartPoint[], alsoUpTo: number, width: number, height: number): PlotScales {
  const gaps = { between: points.length > 7 ? 0.3 : 0.5, around: 0.25 }
  const most = Math.max(1, alsoUpTo, ...points.map(({ value }) => value))
  return {
    x: placesBetween(inset.left, Math.max(inset.left, width - inset.right), points.length, gaps),
    y: heightsUpTo(most, height - inset.bottom, inset.top, ticks),
  }
}

/** Points over an axis. The pointer and the arrow keys move from one to the next. */
export function Plot({ points, label, axisText, alsoUpTo = 0, heightPx = usualHeight, children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [chosen, setActive] = useState<number | null>(null)
  const { x, y } = scalesOf(points, alsoUpTo, width, heightPx)
  const last = points.length - 1
  const active = chosen === null ? null : Math.min(chosen, last)
  const shown = points[active ?? last]
  const every = labelEvery(points, width - inset.left)
  return (
    <div ref={frame} className="relative min-w-0" onPointerLeave={() => setActive(null)}>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-orientation="horizontal"
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={(active ?? last) + 1}
        aria-valuetext={shown && textOf(shown)}
        onKeyDown={(event) => walk(event, active ?? last, last, setActive)}
        onFocus={() => setActive((at) => at ?? last)}
        onBlur={() => setActive(null)}
        className="rounded-m"
      >
        <svg width={width} height={heightPx} aria-hidden="true" className="block overflow-visible">
          <Axis y={y} right={width - inset.right} axisText={axisText} />
          {points.map((point, index) => (
            <Slot
              key={point.title}
              x={x}
              index={index}
              label={(last - index) % every === 0 ? point.label : ""}
              isActive={index === active}
              isLast={index === last}
              height={heightPx}
              onActive={() => setActive(index)}
            />
          ))}
          <g className="pointer-events-none">{children({ x, y }, active)}</g>
        </svg>
      </div>
      {active !== null && shown !== undefined && <Tip point={shown} middle={middleOf(x, active)} width={width} />}
    </div>
  )
}

/** Shows as many labels as fit next to each other, counted from the last. */
function labelEvery(points: readonly ChartPoint[], width: number): number {
  const longest = Math.max(0, ...points.map(({ label }) => label.length))
  return Math.ceil((points.length * (longest + 2) * letterPx) / Math.max(1, width))
}

function textOf({ title, text, detail }: ChartPoint): string {
  return `${title}: ${text}${detail === undefined ? "" : `, ${detail}`}`
}

export function middleOf(x: Places, index: number): number {
  return x.startOf(index) + x.width / 2
}

function walk(event: KeyboardEvent, at: number, last: number, go: (index: number | null) => void): void {
  if (event.key === "Escape") go(null)
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
  if (to === undefined) return
  event.preventDefault()
  go(Math.min(last, Math.max(0, to)))
}

function Axis({ y, right, axisText }: { y: Heights; right: number; axisText: (value: number) => string }) {
  return y.ticks.map((value) => {
    const text = axisText(value)
    if (text === "") return null
    return (
      <g key={value}>
        <line
          x1={inset.left}
          x2={right}
          y1={y.at(value)}
          y2={y.at(value)}
          className={value === 0 ? "stroke-line-2" : "stroke-line"}
          strokeDasharray={value === 0 ? undefined : "3 4"}
        />
        <text x={inset.left - 10} y={y.at(value) + 4} textAnchor="end" className="fill-t3 text-[12.5px]">
          {text}
        </text>
      </g>
    )
  })
}

interface SlotProps {
  x: Places
  index: number
  label: string
  isActive: boolean
  isLast: boolean
  height: number
  onActive: () => void
}

/** The whole height reacts to the pointer, not only the mark. */
function Slot({ x, index, label, isActive, isLast, height, onActive }: SlotProps) {
  const middle = middleOf(x, index)
  return (
    <g onPointerEnter={onActive} onPointerDown={onActive}>
      <rect
        x={middle - x.step / 2}
        y={inset.top}
        width={x.step}
        height={height - inset.top}
        className={isActive ? "fill-s2" : "fill-transparent"}
        rx={8}
      />
      <text
        x={middle}
        y={height - 8}
        textAnchor="middle"
        className={`text-[12.5px] ${isLast ? "fill-t1 font-[650]" : "fill-t3"}`}
      >
        {label}
      </text>
    </g>
  )
}

function Tip({ point, middle, width }: { point: ChartPoint; middle: number; width: number }) {
  const left = Math.min(Math.max(middle, tipPx / 2), Math.max(tipPx / 2, width - tipPx / 2))
  return (
    <div
      aria-hidden="true"
      style={{ left, width: tipPx - 8 }}
      className="pointer-events-none absolute -top-3 [translate:-50%] rounded-m border border-line-2 bg-s2 px-3 py-2 text-meta shadow-float"
    >
      <p className="text-t3">{point.title}</p>
      <p className="font-[650] tabular-nums">{point.text}</p>
      {point.detail !== undefined && <p className="text-t2">{point.detail}</p>}
    </div>
  )
}
