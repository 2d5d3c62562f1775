import { expect, test } from "vitest"
import { formatDateTime, formatTime, nameOfDay, rangeOfPeriod, saoPauloDay } from "./dates.ts"
import { addDays, isDay } from "./days.ts"

test("an instant is shown in São Paulo's time", () => {
  expect(formatDateTime("2026-11-21T17:18:00.000Z")).toBe("21/11/2026 14:18")
  expect(formatDateTime("2026-11-21T02:59:59.000Z")).toBe("20/11/2026 23:59")
})

test("below its day, an instant is a time; the last two days have names", () => {
  expect(formatTime("2026-11-21T03:05:00.000Z")).toBe("00:05")
  expect(["2026-11-21", "2026-11-20", "2026-11-19"].map((day) => nameOfDay(day, "2026-11-21"))).toEqual([
    "Hoje",
    "Ontem",
    "19/11/2026",
  ])
})

test("midnight is 00:00, not 24:00", () => {
  expect(formatDateTime("2026-11-21T03:00:00.000Z")).toBe("21/11/2026 00:00")
})

test("a missing date is distinguished from an unreadable one", () => {
  expect(formatDateTime(null)).toBe("Data não disponível")
  expect(formatDateTime(undefined)).toBe("Data não disponível")
  expect(formatDateTime("")).toBe("Data não disponível")
  expect(formatDateTime("amanhã")).toBe("Data inválida")
  expect(formatDateTime("2026-13-45")).toBe("Data inválida")
})

test("the day is São Paulo's, whatever UTC says", () => {
  expect(saoPauloDay(new Date("2026-11-22T02:59:59Z"))).toBe("2026-11-21")
  expect(saoPauloDay(new Date("2026-11-22T03:00:00Z"))).toBe("2026-11-22")
})

test("each period includes its first and last day", () => {
  expect(rangeOfPeriod("today", "2026-11-21")).toEqual({ dateFrom: "2026-11-21", dateTo: "2026-11-21" })
  expect(rangeOfPeriod("yesterday", "2026-01-01")).toEqual({ dateFrom: "2025-12-31", dateTo: "2025-12-31" })
  expect(rangeOfPeriod("7d", "2026-11-03")).toEqual({ dateFrom: "2026-10-28", dateTo: "2026-11-03" })
  expect(rangeOfPeriod("30d", "2026-11-21")).toEqual({ dateFrom: "2026-10-23", dateTo: "2026-11-21" })
  expect(rangeOfPeriod("month", "2026-11-21")).toEqual({ dateFrom: "2026-11-01", dateTo: "2026-11-21" })
  expect(rangeOfPeriod("last-month", "2026-03-31")).toEqual({ dateFrom: "2026-02-01", dateTo: "2026-02-28" })
})

test("days are counted across months and leap years", () => {
  expect(addDays("2028-02-28", 1)).toBe("2028-02-29")
  expect(addDays("2026-12-31", 1)).toBe("2027-01-01")
})

test("only a day of the calendar is a day", () => {
  expect(isDay("2028-02-29")).toBe(true)
  expect(isDay("2026-02-29")).toBe(false)
  expect(isDay("0002-11-21")).toBe(false)
  expect(isDay("21/11/2026")).toBe(false)
})
