const undecomposed: Record<string, string> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "TH",
  ı: "i",
}
const undecomposedLetter = new RegExp(`[${Object.keys(undecomposed).join("")}]`, "g")

const foldedText = /^[A-Za-z0-9.,-]+(?: [A-Za-z0-9.,-]+)*$/

/**
 * Folds to plain ASCII, because the Central Bank's validator refuses accents and signs such as & and @. Cut after
 * folding: ß becomes two characters.
 */
export function foldText(text: string, maxLength: number): string {
  if (text.length <= maxLength && foldedText.test(text)) return text
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(undecomposedLetter, (letter) => undecomposed[letter] ?? "")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[^A-Za-z0-9.,-]+/g, " ")
    .trim()
    .slice(0, maxLength)
    .trimEnd()
}
