import { formatDateTime } from "#format/date.ts"
import { saoPauloDay } from "#format/period.ts"
import { waitingTime } from "../withdrawals/waiting-time.ts"

/** "há 3 min · 14:18": the age first, then the moment for those who investigate; with its day unless that is today. */
export function momentText(moment: string | null, now: Date, never: string): string {
  if (moment === null) return never
  const isToday = saoPauloDay(new Date(moment)) === saoPauloDay(now)
  const text = formatDateTime(moment)
  const aheadMs = Date.parse(moment) - now.getTime()
  const age = aheadMs > 60_000 ? `daqui a ${durationText(aheadMs)}` : waitingTime(moment, now)
  return `${age} · ${isToday ? text.slice(-"14:18".length) : text}`
}

/** "350 ms", "1,2 s", "3 min" */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1).replace(".", ",")} s`
  return `${Math.round(ms / 60_000)} min`
}
