/** Advance width by code point, as a fraction of the font's size. */
export type Advances = ReadonlyMap<number, number>

/** Reads the advance widths of a TrueType font from `head`, `hhea`, `hmtx` and `cmap` format 4. */
export function readAdvances(font: Uint8Array): Advances {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  const tables = readTables(view)
  const at = (table: string): number => tables.get(table) ?? 0
  const unitsPerEm = view.getUint16(at("head") + 18)
  const wideGlyphs = view.getUint16(at("hhea") + 34)
  const advances = new Map<number, number>()
  for (const [codePoint, glyph] of readGlyphs(view, findSegments(view, at("cmap")))) {
    const metric = at("hmtx") + Math.min(glyph, wideGlyphs - 1) * 4
    advances.set(codePoint, view.getUint16(metric) / unitsPerEm)
  }
  return advances
}

function readTables(view: DataView): Map<string, number> {
  const tables = new Map<string, number>()
  for (let index = 0; index < view.getUint16(4); index += 1) {
    const record = 12 + index * 16
    const name = [0, 1, 2, 3].map((letter) => String.fromCharCode(view.getUint8(record + letter))).join("")
    tables.set(name, view.getUint32(record + 8))
  }
  return tables
}

function findSegments(view: DataView, cmap: number): number {
  for (let index = 0; index < view.getUint16(cmap + 2); index += 1) {
    const subtable = cmap + view.getUint32(cmap + 8 + index * 8)
    if (view.getUint16(subtable) === 4) return subtable
  }
  throw new Error("the font has no character map of format 4")
}

function* readGlyphs(view: DataView, subtable: number): Generator<[codePoint: number, glyph: number]> {
  const size = view.getUint16(subtable + 6)
  for (let segment = 0; segment < size; segment += 2) {
    const last = view.getUint16(subtable + 14 + segment)
    const first = view.getUint16(subtable + 16 + size + segment)
    const delta = view.getUint16(subtable + 16 + 2 * size + segment)
    const rangeAt = subtable + 16 + 3 * size + segment
    const range = view.getUint16(rangeAt)
    for (let codePoint = first; codePoint <= last && codePoint < 0xffff; codePoint += 1) {
      const found = range === 0 ? codePoint : view.getUint16(rangeAt + range + (codePoint - first) * 2)
      if (range === 0 || found !== 0) yield [codePoint, (found + delta) & 0xffff]
    }
  }
}
