import { comparableFrom } from "#domain/bank/daily-closes/daily-close"
import { type Clock, secondsAfter } from "#kit/clock"
import { saoPauloDay } from "#kit/sao-paulo-day"

/**
 * A clock in the small hours after today, when the bank's list has settled: `moreSeconds` after that moment. A number of
 * hours from now would be another day's in the evening.
 */
export const afterToday = (moreSeconds = 1): Clock => ({
  now: () => secondsAfter(comparableFrom(saoPauloDay(new Date())), moreSeconds),
})
