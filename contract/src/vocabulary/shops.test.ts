import { expect, test } from "vitest"
import { logoPath, shopContact } from "./shops.ts"

const both = { whatsapp: "11987654321", email: "oi@docesdaana.example" }

test("WhatsApp comes before mail, with a text about the charge", () => {
  expect(shopContact(both, "Bolo & café")).toBe(
    "https://wa.me/5511987654321?text=Ol%C3%A1!%20%C3%89%20sobre%20a%20cobran%C3%A7a%20Bolo%20%26%20caf%C3%A9.",
  )
  expect(shopContact({ email: both.email }, "Bolo")).toBe(
    "mailto:oi@docesdaana.example?subject=Sobre%20a%20cobran%C3%A7a%20Bolo",
  )
  expect(shopContact({}, "Bolo")).toBeNull()
})

test("a page that is no longer shown isn't named", () => {
  expect(shopContact(both, null)).toContain("?text=Ol%C3%A1!%20%C3%89%20sobre%20uma%20cobran%C3%A7a.")
})

test("a logo is loaded from the host that asks for it", () => {
  expect(logoPath("https://pagar.example/logos/1f8a.png")).toBe("/logos/1f8a.png")
})
