export interface Clock {
  /** The true time. */
  now(): Date
  /** How far the sandbox's days are ahead of it. Absent with real money, whose days nobody moves. */
  aheadMs?(): number
}

export const systemClock: Clock = { now: () => new Date() }

/** The true time, and the time by which invoices, reminders, subscriptions and reserves are due. */
export interface Times {
  now: Date
  due: Date
}

export function timesOf(clock: Clock): Times {
  const now = clock.now()
  return { now, due: new Date(now.getTime() + (clock.aheadMs?.() ?? 0)) }
}

export function dueTime(clock: Clock): Date {
  return timesOf(clock).due
}

/** Today, for whatever has a due day. */
export function dueToday(clock: Clock): Day {
  return saoPauloDay(dueTime(clock))
}

export function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000)
}

/** A São Paulo calendar day as `YYYY-MM-DD`, or a month as `YYYY-MM`: both sort as text. */
export type Day = string
export type Month = string

/** The Swedish locale writes days in the ISO format. */
const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: "America/Sao_Paulo" })

export function saoPauloDay(moment: Date): Day {
  return format.format(moment)
}

const hourFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", timeZone: "America/Sao_Paulo" })

/** 0 to 23. */
export function saoPauloHour(moment: Date): number {
  return Number(hourFormat.format(moment))
}

const HOUR_MS = 3_600_000
/** São Paulo's possible distances from UTC: with summer time and without. */
const offsetHours = [2, 3] as const

/** The first moment of the day: where summer time begins at midnight, that is one o'clock. */
export function startOfDay(day: Day): Date {
  const midnightMs = new Date(`${day}T00:00:00Z`).getTime()
  const starts = offsetHours.map((hours) => new Date(midnightMs + hours * HOUR_MS))
  return starts.find((start) => saoPauloDay(start) === day) ?? new Date(midnightMs + 3 * HOUR_MS)
}

/** The Brazilian format: dd/mm/aaaa. */
export function dayText(day: Day): string {
  return day.split("-").toReversed().join("/")
}

export function daysAfter(day: Day, days: number): Day {
  const moment = new Date(`${day}T00:00:00Z`)
  moment.setUTCDate(moment.getUTCDate() + days)
  return moment.toISOString().slice(0, 10)
}

export function monthOf(day: Day): Month {
  return day.slice(0, 7)
}

export function monthsAfter(month: Month, months: number): Month {
  const moment = new Date(`${month}-01T00:00:00Z`)
  moment.setUTCMonth(moment.getUTCMonth() + months)
  return moment.toISOString().slice(0, 7)
}

export function firstDayOf(month: Month): Day {
  return `${month}-01`
}

export function lastDayOf(month: Month): Day {
  return daysAfter(firstDayOf(monthsAfter(month, 1)), -1)
}

interface Pause {
  ask(): void
  /** Whether the work was asked for and has not begun. */
  isRequested(): boolean
  stop(): void
}

/** Runs the work once, a while after it was first asked for, however often it is asked for meanwhile. */
export function createPause(ms: number, work: () => void): Pause {
  let timer: NodeJS.Timeout | null = null
  let isStopped = false
  return {
    ask() {
      if (isStopped) return
      timer ??= setTimeout(() => {
        timer = null
        work()
      }, ms)
    },
    isRequested: () => timer !== null,
    stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}

export interface MovableClock extends Clock {
  /** Asks how far the clock was moved; while nobody answers it stays as it was. */
  refresh(): Promise<void>
}
