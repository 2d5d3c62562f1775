import { comparableFrom } from "#bank/daily-closes/rules"
import { type Clock, saoPauloDay, secondsAfter } from "#kit/clock"

/**
 * A clock in the small hours after today, when the bank's list has settled: `moreSeconds` after that moment. A number of
 * hours from now would be another day's in the evening.
 */
export const afterToday = (moreSeconds = 1): Clock => ({
  now: () => secondsAfter(comparableFrom(saoPauloDay(new Date())), moreSeconds),
})
