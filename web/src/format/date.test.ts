import { expect, test } from "vitest"
import { formatDate, formatDateTime } from "./date.ts"

test("an instant is shown in São Paulo's time", () => {
  expect(formatDateTime("2026-11-21T17:18:00.000Z")).toBe("21/11/2026 14:18")
  expect(formatDateTime("2026-11-21T02:59:59.000Z")).toBe("20/11/2026 23:59")
})

test("midnight is 00:00, not 24:00", () => {
  expect(formatDateTime("2026-11-21T03:00:00.000Z")).toBe("21/11/2026 00:00")
})

test("a day without a time keeps its day", () => {
  expect(formatDate("2026-11-21")).toBe("21/11/2026")
  expect(formatDate("2026-11-21T02:00:00Z")).toBe("20/11/2026")
})

test("a missing date is told apart from an unreadable one", () => {
  expect(formatDateTime(null)).toBe("Data não disponível")
  expect(formatDateTime(undefined)).toBe("Data não disponível")
  expect(formatDate("")).toBe("Data não disponível")
  expect(formatDateTime("amanhã")).toBe("Data inválida")
  expect(formatDate("2026-13-45")).toBe("Data inválida")
})
