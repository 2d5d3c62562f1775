import { unfinishedEnding } from "#db/backup/backup-file"
import { type Day, saoPauloDay } from "#kit/sao-paulo-day"

/** How many days, weeks and months keep a backup, each its newest. */
const keeps = { days: 7, weeks: 4, months: 12 }
const dayMs = 86_400_000
const name = /^tilinta-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z\.backup$/

export function backupName(moment: Date): string {
  return `tilinta-${moment.toISOString().replaceAll(/[:.]/g, "-")}.backup`
}

/** Our own files that a killed backup may have left. A name doesn't say whether its file is still being written. */
export function unfinishedBackups(files: readonly string[]): string[] {
  return files.filter((file) => file.endsWith(unfinishedEnding) && momentOf(file.slice(0, -unfinishedEnding.length)))
}

/** Null for a file of somebody else's. */
function momentOf(file: string): Date | null {
  const [, day, hour, minute, second, fraction] = name.exec(file) ?? []
  return day === undefined ? null : new Date(`${day}T${hour}:${minute}:${second}.${fraction}Z`)
}

/** Files whose time is over: those of the last day stay, and of each older day, week and month the newest one. */
export function endedBackups(files: readonly string[], now: Date): string[] {
  const known = files
    .flatMap((file) => {
      const moment = momentOf(file)
      return moment === null ? [] : [{ file, moment, day: saoPauloDay(moment) }]
    })
    .toSorted((a, b) => b.moment.getTime() - a.moment.getTime())
  const kept = new Set(known.filter(({ moment }) => now.getTime() - moment.getTime() < dayMs).map(({ file }) => file))
  for (const [spanOf, count] of [
    [(day: Day) => day, keeps.days],
    [weekOf, keeps.weeks],
    [(day: Day) => day.slice(0, 7), keeps.months],
  ] as const) {
    const newest = [...Map.groupBy(known, ({ day }) => spanOf(day)).values()].slice(0, count)
    for (const [first] of newest) if (first !== undefined) kept.add(first.file)
  }
  return known.flatMap(({ file }) => (kept.has(file) ? [] : [file]))
}

/** The week's number since a Monday. */
function weekOf(day: Day): number {
  return Math.floor((Date.parse(`${day}T00:00:00Z`) / dayMs + 3) / 7)
}
