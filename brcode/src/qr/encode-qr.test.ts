import { create, type QRCodeMaskPattern } from "qrcode"
import { describe, expect, test } from "vitest"
import { dataBytesOf, largestVersion, type QrLevel } from "./capacity.ts"
import { encodeQr, type QrCode } from "./encode-qr.ts"
import { splitText } from "./segments.ts"

const versions = Array.from({ length: largestVersion }, (_, at) => at + 1)
const masks = [0, 1, 2, 3, 4, 5, 6, 7]

/** Reference implementation, given our segmentation. */
function drawnElsewhere(text: string, level: QrLevel, version: number, maskPattern?: number) {
  const segments = splitText(text, version).map(({ mode, text: part }) =>
    mode === "byte" ? { mode, data: new TextEncoder().encode(part) } : { mode, data: part },
  )
  const symbol = create(segments, {
    errorCorrectionLevel: level,
    ...(maskPattern !== undefined && { maskPattern: maskPattern as QRCodeMaskPattern }),
  })
  return { ...symbol, rows: rowsOf(symbol.modules.size, (row, column) => symbol.modules.get(row, column) === 1) }
}

function rowsOf(size: number, isDark: (row: number, column: number) => boolean): string {
  let rows = ""
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) rows += isDark(row, column) ? "#" : "."
    rows += "\n"
  }
  return rows
}

function rowsOfOwn({ size, isDark }: QrCode): string {
  return rowsOf(size, (row, column) => isDark(row, column))
}

/** Deterministic by seed, so that a failure can be repeated. */
function textOf(seed: number, length: number): string {
  const kinds = ["0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:", "abcdefghijklmnopqrstuvwxyz?=&_@", "çãé€日", "😀"]
  let state = seed
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  let text = ""
  while (text.length < length) {
    const characters = [...(kinds[next(3) || next(kinds.length)] ?? "")]
    for (let left = 1 + next(24); left > 0; left--) text += characters[next(characters.length)]
  }
  return text
}

describe("the same modules as another implementation", () => {
  test.for(["M", "Q"] as const)("in every version, filled to the last byte at %s, with every mask", (level) => {
    for (const version of versions) {
      const header = version < 10 ? 2 : 3
      const text = `ç${"q".repeat(dataBytesOf(version, level) - header - 2)}`
      // Pix codes need versions up to 12, so those are tested with every mask; larger ones with one mask each.
      for (const mask of version <= 12 ? masks : [version % 8]) {
        const own = encodeQr(text, { level, mask })
        expect([own.version, own.mask]).toEqual([version, mask])
        expect(rowsOfOwn(own)).toBe(drawnElsewhere(text, level, version, mask).rows)
      }
    }
  })

  test("and the same choice of mask, in a symbol that is never larger, for all kinds of text", () => {
    for (let seed = 1; seed <= 120; seed++) {
      const level = seed % 2 === 0 ? "M" : "Q"
      const text = textOf(seed, seed % 10 === 0 ? seed * 5 : 1 + ((seed * 7) % 240))
      const own = encodeQr(text, { level })
      const other = drawnElsewhere(text, level, own.version)
      expect([seed, own.version, own.mask]).toEqual([seed, other.version, other.maskPattern])
      expect(rowsOfOwn(own)).toBe(other.rows)
      if (seed % 4 === 0) expect(own.version).toBeLessThanOrEqual(create(text, { errorCorrectionLevel: level }).version)
    }
  })
})

test("a text is cut into parts that hold all of it", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const text = textOf(seed, seed)
    const parts = splitText(text, 1 + (seed % 40))
    expect(parts.map((part) => part.text).join("")).toBe(text)
    for (const { mode, text: part } of parts) {
      if (mode !== "byte") expect(part).toMatch(mode === "numeric" ? /^\d+$/ : /^[0-9A-Z $%*+\-./:]+$/)
    }
  }
})

test("eight modules at once are the eight of their row, and light beyond the edge", () => {
  const code = encodeQr("https://tilinta.example/checkout/abc", { level: "M" })
  for (let row = 0; row < code.size; row++) {
    for (let column = 0; column < code.size; column += 8) {
      const eight = [0, 1, 2, 3, 4, 5, 6, 7].filter((at) => column + at < code.size && code.isDark(row, column + at))
      expect(code.eightOf(row, column)).toBe(eight.reduce((bits, at) => bits | (1 << at), 0))
    }
  }
})

test("a text that no symbol holds is refused", () => {
  expect(encodeQr("x".repeat(2_331), { level: "M" }).version).toBe(40)
  expect(() => encodeQr("x".repeat(2_332), { level: "M" })).toThrow("too long")
})
