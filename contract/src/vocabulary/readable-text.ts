/** Marks, fillers and blanks alone show nothing. */
const visible = /[^\s\u115f\u1160\u2800\u3164\uffa0\p{C}\p{M}]/u

/** False for text that looks empty, whatever it is made of. */
export function hasVisible(text: string): boolean {
  return visible.test(text)
}

/** Control, bidi and zero-width characters: nobody sees them, and they reorder or hide what stands around them. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** True when every character is shown as it was typed, on one line. */
export function isReadableLine(text: string): boolean {
  return !unseen.test(withPlainEmoji(text))
}

/** Also takes line breaks and tabs. */
export function isReadableText(text: string): boolean {
  return isReadableLine(text.replace(/[\r\n\t]/g, " "))
}

/** A composed emoji is one character for its reader: drops the joiners that hold it together. */
function withPlainEmoji(text: string): string {
  return text
    .replace(/(\p{Emoji})[\ufe0e\ufe0f]/gu, "$1")
    .replace(/(\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})/gu, "$1")
    .replace(/(\u{1f3f4})[\u{e0020}-\u{e007e}]+\u{e007f}/gu, "$1")
}
