import { expect, test } from "vitest"
import { breakIntoTwo, cutToFit, drawable, drawPreview } from "./draw.ts"

/** Every printable character of the first 256, half as wide as it is high. */
const advances = new Map(
  Array.from({ length: 224 }, (_, index) => [index + 32, 0.5] as const).concat([[0x2026, 0.5] as const]),
)
const face = { advances, size: 20 }
const fonts = { medium: advances, bold: advances }
const names = { sellerName: "Ana Souza", platformName: "Tilinta" }
const subject = { title: "Bolo", amount: "R$ 1.234,50", ...names, accent: "#54e3bd", logo: null }

test("a title takes two lines at most, and ends in an ellipsis where that isn't enough", () => {
  expect(breakIntoTwo("um dois", face, 100)).toEqual(["um dois"])
  expect(breakIntoTwo("um dois tres quatro", face, 100)).toEqual(["um dois", "tres quat…"])
  expect(breakIntoTwo("inconstitucionalmente", face, 100)).toEqual(["inconstit…"])
  expect(cutToFit("dois, tres", face, 60)).toBe("dois…")
})

test("what the font doesn't have is left out", () => {
  expect(drawable("Bolo 🍰  de\nfubá\u0301 – 日本", advances)).toBe("Bolo de fubá")
})

test("nothing that a seller writes becomes markup", () => {
  const evil = `"/><script>&'`
  const drawing = drawPreview({ ...subject, title: evil, sellerName: evil, platformName: evil }, fonts)
  expect(drawing).not.toContain("<script")
  expect(drawing.match(/&quot;\/&gt;&lt;script&gt;&amp;&#39;/g)).toHaveLength(3)
})

test("a shop's logo stands in place of its initials, and its colour where the platform's was", () => {
  const drawing = drawPreview({ ...subject, accent: "#f5c25f", logo: "iVBORw0KGgo=" }, fonts)
  expect(drawing).toContain('href="data:image/png;base64,iVBORw0KGgo="')
  expect(drawing).not.toContain(">AS<")
  expect(drawing.match(/#f5c25f/g)).toHaveLength(2)
})

test("a seller whose name can't be drawn is left out, and so is a title", () => {
  const drawing = drawPreview({ ...subject, title: "🍰", sellerName: "日本" }, fonts)
  expect(drawing).toContain(">Cobrança<")
  expect(drawing).not.toContain("Cobrança de")
  expect(drawing).toContain(">1.234<")
})
