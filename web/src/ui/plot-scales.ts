/** Places of equal width along an axis, with gaps between them. */
export interface Places {
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
export interface Heights {
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
