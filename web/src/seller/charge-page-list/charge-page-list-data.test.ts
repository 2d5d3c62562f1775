import { expect, test } from "vitest"
import { matchesText } from "./charge-page-list-data.ts"

const row = { title: "Oficina de Cerâmica", description: "Aulas às terças", externalReference: "pedido-42" }

test("accents and capitals make no difference", () => {
  expect(matchesText(row, "ceramica")).toBe(true)
  expect(matchesText(row, "AS TER")).toBe(true)
  expect(matchesText(row, "PEDIDO-4")).toBe(true)
  expect(matchesText(row, "pintura")).toBe(false)
})

test("nothing typed hides nothing", () => {
  expect(matchesText(row, "  ")).toBe(true)
})
