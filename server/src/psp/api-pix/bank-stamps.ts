import type { Logger } from "pino"
import { createRecentMap } from "#kit/caches"
import { momentOfTxid } from "#kit/ids"
import type { PspWindow, StampOffset } from "#psp/psp"

const written = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/** Fast path for the standard's format. */
const standard = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/

/** Banks that omit the offset mean Brasília. Null for text that isn't a time. */
export function readMoment(text: string): Date | null {
  if (standard.test(text)) return validOrNull(new Date(text))
  const [, day, time, offset = "-03:00"] = written.exec(text.trim()) ?? []
  if (day === undefined || time === undefined) return null
  const hours = /^[+-]\d{2}$/.test(offset) ? `${offset}:00` : offset.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2")
  return validOrNull(new Date(`${day}T${time}${hours.toUpperCase()}`))
}

function validOrNull(moment: Date): Date | null {
  return Number.isNaN(moment.getTime()) ? null : moment
}

const HOUR_MS = 3_600_000
/** No time zone is further from UTC. */
const MOST_HOURS = 14
/** A charge is stamped this soon after we ask for it. */
const SOON_MS = 300_000

const REMEMBERED = 1_000

/**
 * The times that a bank writes. Some write Brasília's time with a Z: what it says of our own charges shows how many hours are
 * missing, and from then on they are added. `bankTime` is its clock by the Date header.
 */
export function createBankStamps(bankTime: () => Date | null, log: Logger) {
  const offset: StampOffset = { hours: 0, isNews: false }
  // A bank may stamp its answer to a creation rightly, and its lists wrongly: these count.
  let isByReading = false
  /** When the charges of this process were made, as far as our clock agreed with the bank's. */
  const created = createRecentMap<string, Date>(REMEMBERED)

  function plus(moment: Date, hours: number): Date {
    return new Date(moment.getTime() + hours * HOUR_MS)
  }

  /** The later clock, since a wrong one must not hide that a stamp lies ahead. */
  const latest = () => Math.max(Date.now(), bankTime()?.getTime() ?? 0)

  /** False where the stamp says nothing about whole hours. */
  function learn(text: string, meant: Date): boolean {
    const stamped = readMoment(text)
    if (stamped === null) return false
    const missingMs = meant.getTime() - stamped.getTime()
    const hours = Math.round(missingMs / HOUR_MS)
    if (Math.abs(hours) > MOST_HOURS || Math.abs(missingMs - hours * HOUR_MS) > SOON_MS) return false
    if (hours === offset.hours) return true
    offset.hours = hours
    offset.isNews = true
    if (hours === 0) log.info("the bank's stamps are right again")
    else
      log.error({ alarm: "bank_clock_off", hours }, "the bank's stamps are hours off; they are corrected from now on")
    return true
  }

  return {
    offset,
    /** A stamp that would lie ahead was right: not all of a bank's calls need to be wrong. */
    read(text: string): Date | null {
      const moment = readMoment(text)
      if (moment === null || offset.hours === 0) return moment
      const corrected = plus(moment, offset.hours)
      return corrected.getTime() > latest() + SOON_MS ? moment : corrected
    },
    /** The answer to the creation of a charge. */
    learnFromCreation(text: string, txid: string): void {
      const [named, now] = [momentOfTxid(txid), bankTime() ?? new Date()]
      if (named !== null && Math.abs(named.getTime() - now.getTime()) > SOON_MS) return
      if (named !== null) created.set(txid, named)
      if (!isByReading && offset.hours === 0) learn(text, named ?? now)
    },
    /** A charge of ours as the bank shows it later. */
    learnFromReading(text: string, txid: string): void {
      const meant = created.get(txid)
      if (meant !== undefined && learn(text, meant)) isByReading = true
    },
    /** The window in which the bank may have stamped what happened in this one, however it reads the window itself. */
    windowAround(window: PspWindow): PspWindow {
      const { hours } = offset
      // Narrow windows are made of the bank's own stamps.
      if (hours === 0 || window.isNarrow === true) return window
      return { from: plus(window.from, -Math.max(hours, 0)), to: plus(window.to, -Math.min(hours, 0)) }
    },
  }
}
