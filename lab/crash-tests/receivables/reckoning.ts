/** Written apart from the product's calculator, by the list of holidays instead of Easter, to audit it. */

const holidays = new Set([
  ...["2026-11-20", "2026-12-25", "2027-01-01", "2027-02-08", "2027-02-09", "2027-03-26", "2027-04-21", "2027-05-01"],
  ...["2027-05-27", "2027-09-07", "2027-10-12", "2027-11-02", "2027-11-15", "2027-11-20", "2027-12-25", "2028-01-01"],
  ...["2028-02-28", "2028-02-29", "2028-04-14", "2028-04-21", "2028-05-01", "2028-06-15", "2028-09-07", "2028-10-12"],
])

const dayMs = 86_400_000

export function plus(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

function rolled(day: string): string {
  const weekday = new Date(day).getUTCDay()
  return weekday === 0 || weekday === 6 || holidays.has(day) ? rolled(plus(day, 1)) : day
}

export interface Agreed {
  amountCents: number
  dueDay: string
  daysAfterDue: number
  /** In hundredths of a percent; 0 for none. */
  fine: number
  monthlyInterest: number
  discount: { cents: number; until: string } | null
}

export function lastDayOf({ dueDay, daysAfterDue }: Agreed): string {
  return rolled(plus(rolled(dueDay), daysAfterDue))
}

const halfUp = (dividend: number, divisor: number) => Math.floor((2 * dividend + divisor) / (2 * divisor))

export function owedOn({ amountCents, dueDay, fine, monthlyInterest, discount }: Agreed, day: string): number {
  const late = Math.max(0, (Date.parse(day) - Date.parse(rolled(dueDay))) / dayMs)
  const until = discount === null ? "" : discount.until === dueDay ? rolled(dueDay) : discount.until
  if (late === 0) return amountCents - (discount !== null && day <= until ? discount.cents : 0)
  return amountCents + halfUp(amountCents * fine, 10_000) + halfUp(amountCents * monthlyInterest * late, 300_000)
}

/** Days on which a customer who hasn't paid is reminded, but for the day on which the invoice was made. */
export function reminderDaysOf(agreed: Agreed): Set<string> {
  const due = rolled(agreed.dueDay)
  return new Set([-3, 0, 1, 7].map((days) => plus(due, days)).concat(plus(lastDayOf(agreed), -1)))
}

/** Due days of a subscription up to a day: the same day of the month, or the last one of a shorter month. */
export function cyclesUntil(first: string, period: "weekly" | "monthly" | "quarterly", lastIssued: string): string[] {
  const days: string[] = []
  for (let index = 0; ; index += 1) {
    const day =
      period === "weekly" ? plus(first, 7 * index) : monthsAfter(first, index * (period === "monthly" ? 1 : 3))
    if (day > lastIssued) return days
    days.push(day)
  }
}

function monthsAfter(first: string, months: number): string {
  const [year = 0, month = 0, date = 0] = first.split("-").map(Number)
  const length = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, length))).toISOString().slice(0, 10)
}

/** Right check digits. */
export function cpfOf(index: number): string {
  const digits = String(100_000_000 + index * 7919).slice(0, 9)
  const check = (text: string) => {
    const sum = [...text].reduce((total, digit, at) => total + Number(digit) * (text.length + 1 - at), 0)
    return String(((sum * 10) % 11) % 10)
  }
  const first = digits + check(digits)
  return first + check(first)
}
