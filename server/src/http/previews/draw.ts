import { initialsOf } from "@tilinta/contract/vocabulary/initials"
import { escapeHtml } from "#kit/html"

/** The content of a shared link's preview. */
export interface PreviewSubject {
  title: string
  /** "R$ 1.234,56". */
  amount: string
  sellerName: string
  platformName: string
  /** The shop's colour. */
  accent: string
  /** The shop's, a PNG in base64; null without one. */
  logo: string | null
}

interface FontAdvances {
  medium: Advances
  bold: Advances
}

const previewWidth = 1200
const previewHeight = 630
const center = previewWidth / 2

/** Colours of the checkout. */
const mint = "#54e3bd"
const ink = "#00211b"
const bright = "#f0f6f6"
const soft = "#dbe5e6"
const middle = "#b4c0c3"
const dim = "#93a2a5"

interface Style {
  size: number
  weight: 500 | 700
  fill: string
  anchor?: "middle"
}

/** Everything is centred but the foot, because some messengers crop a square out of the middle. */
export function drawPreview(subject: PreviewSubject, fonts: FontAdvances): string {
  const { medium, bold } = fonts
  const title = drawable(subject.title, medium) || "Cobrança"
  const large: Face = { advances: medium, size: 58 }
  const face: Face = widthOf(title, large) <= 960 ? large : { advances: medium, size: 50 }
  const lines = breakIntoTwo(title, face, 960)
  const [sellerY, titleY, amountY] = lines.length === 1 ? [112, 222, 414] : [98, 194, 438]
  const style: Style = { size: face.size, weight: 500, fill: soft, anchor: "middle" }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${previewWidth}" height="${previewHeight}" font-family="Figtree">
<defs><linearGradient id="a" x2="1" y2="1"><stop stop-color="#00666b"/><stop offset="1" stop-color="#273c64"/></linearGradient></defs>
<path d="M0 0H1200V630H0z" fill="#0b1416"/><path d="M0 0H1200V6H0z" fill="${subject.accent}"/>
${drawSeller(subject, sellerY, fonts)}
${lines.map((line, index) => drawText(line, center, titleY + index * face.size * 1.2, style)).join("")}
${drawAmount(subject.amount, amountY, fonts)}
${drawFoot(subject, bold)}
</svg>`
}

function drawSeller({ sellerName, logo }: PreviewSubject, y: number, { medium, bold }: FontAdvances): string {
  const name = drawable(sellerName, bold)
  if (name === "") return ""
  const size = 32
  const lead = "Cobrança de "
  const shown = cutToFit(name, { advances: bold, size }, 680)
  const leadWidth = widthOf(lead, { advances: medium, size })
  const left = center - (64 + leadWidth + widthOf(shown, { advances: bold, size })) / 2
  const place = `x="${left}" y="${y - 34}" width="48" height="48"`
  const mark =
    logo === null
      ? `<rect ${place} rx="15" fill="url(#a)"/>${drawText(initialsOf(name), left + 24, y - 3, { size: 20, weight: 700, fill: bright, anchor: "middle" })}`
      : `<clipPath id="b"><rect ${place} rx="15"/></clipPath><image ${place} clip-path="url(#b)" href="data:image/png;base64,${logo}"/>`
  return [
    mark,
    drawText(lead, left + 64, y, { size, weight: 500, fill: dim }),
    drawText(shown, left + 64 + leadWidth, y, { size, weight: 700, fill: bright }),
  ].join("")
}

/** Symbol small and raised, cents lighter, and all of it scaled down to fit. */
function drawAmount(amount: string, y: number, { medium, bold }: FontAdvances): string {
  const size = 176
  const [symbol = "", whole = "", cents = ""] = amount.split(/[ ,]/)
  const symbolWidth = widthOf(symbol, { advances: bold, size: size * 0.42 }) + 18
  const wholeWidth = widthOf(whole, { advances: bold, size }) - whole.length * size * 0.03
  const width = symbolWidth + wholeWidth + widthOf(`,${cents}`, { advances: medium, size: size * 0.58 })
  const scale = Math.min(1, 1040 / width)
  const left = center - (width * scale) / 2
  return [
    `<g transform="translate(${left} ${y}) scale(${scale})">`,
    drawText(symbol, 0, -size * 0.34, { size: size * 0.42, weight: 700, fill: middle }),
    `<g letter-spacing="${-size * 0.03}">${drawText(whole, symbolWidth, 0, { size, weight: 700, fill: bright })}</g>`,
    drawText(`,${cents}`, symbolWidth + wholeWidth, 0, { size: size * 0.58, weight: 500, fill: middle }),
    "</g>",
  ].join("")
}

function drawFoot({ platformName, accent }: PreviewSubject, bold: Advances): string {
  const shown = cutToFit(drawable(platformName, bold), { advances: bold, size: 36 }, 600)
  return [
    `<path d="M0 510H1200V630H0z" fill="#0f191b"/><path d="M0 510H1200" stroke="#232e31" stroke-width="2"/>`,
    `<g transform="translate(64 546) scale(1.5)"><rect width="32" height="32" rx="9" fill="${mint}"/>`,
    `<path d="M8 8.5h16v3.7h-5.95V24h-4.1V12.2H8z" fill="${ink}"/></g>`,
    drawText(shown, 128, 583, { size: 36, weight: 700, fill: bright }),
    `<rect x="822" y="532" width="314" height="76" rx="24" fill="${accent}"/>`,
    drawText("Pague com Pix", 979, 582, { size: 34, weight: 700, fill: ink, anchor: "middle" }),
  ].join("")
}

function drawText(text: string, x: number, y: number, { size, weight, fill, anchor }: Style): string {
  const middleOf = anchor === undefined ? "" : ` text-anchor="${anchor}"`
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}"${middleOf} xml:space="preserve">${escapeHtml(text)}</text>`
}

/** A font of one weight and size, for measuring text. */
interface Face {
  advances: Advances
  size: number
}

function widthOf(text: string, { advances, size }: Face): number {
  return [...text].reduce((width, character) => width + (advances.get(character.codePointAt(0) ?? 0) ?? 0), 0) * size
}

/** Drops characters that the font lacks, such as emojis, which would render as boxes. */
export function drawable(text: string, advances: Advances): string {
  return [...text.normalize("NFC").replace(/\s+/g, " ")]
    .filter((character) => advances.has(character.codePointAt(0) ?? 0))
    .join("")
    .replace(/ +/g, " ")
    .trim()
}

/** The text, truncated with an ellipsis if it is too wide. */
export function cutToFit(text: string, face: Face, maxWidth: number): string {
  if (widthOf(text, face) <= maxWidth) return text
  const characters = [...text]
  while (characters.length > 0 && widthOf(`${characters.join("")}…`, face) > maxWidth) characters.pop()
  return `${characters.join("").replace(/(?<![\s,.;:–-])[\s,.;:–-]+$/, "")}…`
}

/** One line, or two of which the second may be truncated. */
export function breakIntoTwo(text: string, face: Face, maxWidth: number): string[] {
  const words = text.split(" ")
  let first = ""
  while (words[0] !== undefined && widthOf(`${first} ${words[0]}`.trim(), face) <= maxWidth) {
    first = `${first} ${words.shift()}`.trim()
  }
  const rest = words.join(" ")
  return [first, rest].filter((line) => line !== "").map((line) => cutToFit(line, face, maxWidth))
}

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
