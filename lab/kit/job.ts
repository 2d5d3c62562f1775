/** One line of a job's table: a figure and its limit from the same run. */
export interface Row {
  what: string
  figure: number
  unit: string
  /** The reference for the figure, measured in the same run; null where the target is a plain bound. */
  limit: { name: string; figure: number } | null
  /** The target as written, such as `≥ 2` or `≤ 110 µs`; null for figures without one. */
  target: string | null
  /** Null for figures without a target. */
  isMet: boolean | null
}

export interface JobResult {
  rows: Row[]
  /** Sentences for people: the method, and explanations of a gap. */
  notes: string[]
  /** Query plans, too long for a note: written to bench/query-plans.md. */
  plans?: string
}

export interface Job {
  title: string
  /** Seeds its own database, starts what it needs, and leaves nothing behind. */
  run(args: readonly string[]): Promise<JobResult>
}

/** A ratio to the limit that must reach a floor. */
export function atLeast(
  floor: number,
  row: Pick<Row, "what" | "figure" | "unit"> & { limit: { name: string; figure: number } },
): Row {
  return { ...row, target: `≥ ${floor}×`, isMet: row.figure / row.limit.figure >= floor }
}

/** A ratio to the limit that must not exceed a ceiling. */
export function atMostTimes(
  ceiling: number,
  row: Pick<Row, "what" | "figure" | "unit"> & { limit: { name: string; figure: number } },
): Row {
  return { ...row, target: `≤ ${ceiling}×`, isMet: row.figure / row.limit.figure <= ceiling }
}

/** A figure with an absolute floor. */
export function atLeastFigure(bound: number, row: Pick<Row, "what" | "figure" | "unit">): Row {
  const target = `≥ ${bound.toLocaleString("en-US")} ${row.unit}`
  return { ...row, limit: null, target, isMet: row.figure >= bound }
}

/** A figure with an absolute bound. */
export function atMost(bound: number, row: Pick<Row, "what" | "figure" | "unit">): Row {
  return { ...row, limit: null, target: `≤ ${bound} ${row.unit}`.trim(), isMet: row.figure <= bound }
}

export function shownOnly(row: Pick<Row, "what" | "figure" | "unit"> & Partial<Pick<Row, "limit">>): Row {
  return { limit: null, ...row, target: null, isMet: null }
}
