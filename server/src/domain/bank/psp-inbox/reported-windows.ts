import type { ReportedEvent } from "#psp/psp"

export type ReportedReceipt = Extract<ReportedEvent, { kind: "receipt" }>

export interface ReportedWindow {
  from: Date
  to: Date
  /** EndToEndIds reported within the window. */
  ids: string[]
}

/** Fewer receipts are queried faster one by one. */
const FEWEST = 8
const LONGEST_MS = 60_000
/** A gap of ten times the median ends a window: the rows in it would all be read for nothing. */
const GAP = { times: 10, leastMs: 50 }

interface Moment {
  endToEndId: string
  ms: number
}

/** Windows of the provider's list in which reported receipts are dense. Isolated ones are in none. */
export function reportedWindows(reported: readonly ReportedReceipt[]): ReportedWindow[] {
  const moments = reported
    .flatMap(({ endToEndId, reportedAt }) => (reportedAt === null ? [] : [{ endToEndId, ms: reportedAt.getTime() }]))
    .sort((a, b) => a.ms - b.ms)
  if (moments.length < FEWEST) return []
  const gapMs = Math.max(GAP.leastMs, GAP.times * medianGapMs(moments))
  const groups: Moment[][] = []
  let group: Moment[] = []
  for (const moment of moments) {
    const [first = moment, last = moment] = [group[0], group.at(-1)]
    if (group.length === 0 || moment.ms - last.ms > gapMs || moment.ms - first.ms > LONGEST_MS) {
      group = []
      groups.push(group)
    }
    group.push(moment)
  }
  return groups.filter(({ length }) => length >= FEWEST).map(windowOf)
}

function medianGapMs(moments: Moment[]): number {
  const gaps = moments.slice(1).map(({ ms }, at) => ms - (moments[at]?.ms ?? ms))
  return gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0
}

/** A provider that reports whole seconds may store fractions, so the window includes the last second. */
function windowOf(moments: Moment[]): ReportedWindow {
  const [first = 0, last = 0] = [moments[0]?.ms, moments.at(-1)?.ms]
  const untilMs = last + (last % 1000 === 0 ? 1000 : 1)
  return { from: new Date(first), to: new Date(untilMs), ids: moments.map(({ endToEndId }) => endToEndId) }
}
