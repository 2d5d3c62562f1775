import { expect, test } from "vitest"
import { reminderLink } from "./customers-data.ts"

const bruno = { name: "Bruno Lima", phone: "11987654321" } as Parameters<typeof reminderLink>[0]

test("a reminder greets by the first name and says who writes", () => {
  const link = reminderLink(bruno, "Doces & Cia") ?? ""
  expect(link).toMatch(/^https:\/\/wa\.me\/5511987654321\?text=/)
  expect(new URL(link).searchParams.get("text")).toMatch(/^Olá, Bruno! Aqui é Doces & Cia\. Passando para lembrar/)
  expect(new URL(reminderLink(bruno, "") ?? "").searchParams.get("text")).toMatch(/^Olá, Bruno! Passando/)
})

test("nobody is reminded without a phone", () => {
  expect(reminderLink({ ...bruno, phone: "" }, "Doces da Ana")).toBeNull()
})
