import { expect, test } from "vitest"
import { formatDateTime } from "./date.ts"

test("an instant is shown in São Paulo's time", () => {
  expect(formatDateTime("2026-11-21T17:18:00.000Z")).toBe("21/11/2026 14:18")
  expect(formatDateTime("2026-11-21T02:59:59.000Z")).toBe("20/11/2026 23:59")
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
