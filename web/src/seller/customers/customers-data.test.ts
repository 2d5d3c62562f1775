import { expect, test } from "vitest"
import { greetingLink } from "./customers-data.ts"

const bruno = { name: "Bruno Lima", phone: "11987654321" } as Parameters<typeof greetingLink>[0]
const textOf = (link: string | null) => new URL(link ?? "").searchParams.get("text")

test("a greeting names the first name and who writes", () => {
  expect(greetingLink(bruno, "Doces & Cia")).toMatch(/^https:\/\/wa\.me\/5511987654321\?text=/)
  expect(textOf(greetingLink(bruno, "Doces & Cia"))).toBe("Olá, Bruno! Aqui é Doces & Cia.")
  expect(textOf(greetingLink(bruno, ""))).toBe("Olá, Bruno!")
})

test("nobody is greeted without a phone", () => {
  expect(greetingLink({ ...bruno, phone: "" }, "Doces da Ana")).toBeNull()
})
