import { constants, inflateSync } from "node:zlib"
import { expect } from "vitest"

/**
 * The text of all pages. Each piece is written in hexadecimal digits: bytes of Windows-1252 in the fonts that every reader has,
 * and in an embedded one the numbers of glyphs, which the font's own table says in letters. Both readings are returned.
 */
export function textOfPdf(file: Buffer): string {
  const content = file.toString("latin1")
  expect(content).toMatch(/^%PDF-1\.\d[\s\S]*%%EOF\s*$/)
  const streams = [...content.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, bytes = ""]) => {
    try {
      // A line end before `endstream` may be the last byte of the checksum.
      return inflateSync(Buffer.from(bytes, "latin1"), { finishFlush: constants.Z_SYNC_FLUSH }).toString("latin1")
    } catch {
      return ""
    }
  })
  const glyphs = lettersOfGlyphs(streams.find((stream) => stream.includes("beginbfrange")) ?? "")
  const standard = new TextDecoder("windows-1252")
  const lines = [...streams.join("\n").matchAll(/\[([^\]]*)\] TJ/g)].map(([, chunks = ""]) =>
    [...chunks.matchAll(/<([0-9a-f]+)>/g)].map(([, hex = ""]) => hex).join(""),
  )
  const embedded = (hex: string) => hex.replaceAll(/.{4}/g, (code) => glyphs.get(Number.parseInt(code, 16)) ?? "")
  return [...lines.map((hex) => standard.decode(Buffer.from(hex, "hex"))), ...lines.map(embedded)].join("\n")
}

function lettersOfGlyphs(table: string): Map<number, string> {
  const letters = new Map<number, string>()
  for (const [, start = "", list = ""] of table.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g)) {
    for (const [at, [, hex = ""]] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      letters.set(
        Number.parseInt(start, 16) + at,
        Buffer.from(hex.replaceAll(" ", ""), "hex").swap16().toString("utf16le"),
      )
    }
  }
  return letters
}
