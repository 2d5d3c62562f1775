import type { Advances } from "./font-advances.ts"

/** A font of one weight and size, for measuring text. */
export interface Face {
  advances: Advances
  size: number
}

export function widthOf(text: string, { advances, size }: Face): number {
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
  return `${characters.join("").replace(/[\s,.;:–-]+$/, "")}…`
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
