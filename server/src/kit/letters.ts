import { fileURLToPath } from "node:url"

/** Windows-1252 has these at 80 to 9F, where Latin-1 has control characters. A space is a place without a sign. */
const signs = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ"
const FIRST_SIGN = 0x80

const beyondWindows = new RegExp(`[^\\n\\u0020-\\u007e\\u00a0-\\u00ff${signs.replaceAll(" ", "")}]+`, "gu")
/** An emoji's name in the table. */
const picture = /^:.+:$/

/** The text in the letters of Windows-1252: 'ł' becomes 'l', 'Привет' 'Privet', and an emoji goes. Loads a table. */
export async function windowsLetters(): Promise<(text: string) => string> {
  const { default: toAscii } = await import("any-ascii")
  const plain = (some: string) =>
    Array.from(some, toAscii)
      .filter((letter) => !picture.test(letter))
      .join("")
  return (text) => {
    const typed = text.normalize("NFC")
    const written = typed.replaceAll(beyondWindows, plain)
    return written === typed ? typed : written.replaceAll(/ {2,}/g, " ").trim()
  }
}

/** The bytes of a text in the letters of Windows-1252. */
export function windowsBytes(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1")
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > 0xff) bytes[at] = FIRST_SIGN + signs.indexOf(text.charAt(at))
  }
  return bytes
}

export type Typesetter = (text: string, weight?: "Helvetica" | "Helvetica-Bold") => string

/**
 * Sets a PDF's font for a text, and returns it as it can be written: in Helvetica, which every reader has, else in a font
 * whose letters in use the file takes along. What neither has is written in plain letters.
 */
export async function typesetter(document: PDFKit.PDFDocument): Promise<Typesetter> {
  const [{ openSync }, toWindows] = await Promise.all([import("fontkit"), windowsLetters()])
  const path = fileURLToPath(import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf"))
  let hasLetter: ((letter: string) => boolean) | undefined
  const openFont = () => {
    const font = openSync(path)
    if (!("hasGlyphForCodePoint" in font)) throw new Error("the file holds several fonts")
    document.registerFont("more letters", path)
    return (letter: string) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)
  }
  return (text, weight = "Helvetica") => {
    const typed = text.normalize("NFC")
    const inWindows = toWindows(typed)
    if (inWindows === typed) {
      document.font(weight)
      return typed
    }
    hasLetter ??= openFont()
    const has = hasLetter
    const written = [...typed].map((letter) => (has(letter) ? letter : toWindows(letter))).join("")
    document.font("more letters")
    return written.replaceAll(/ {2,}/g, " ").trim()
  }
}
