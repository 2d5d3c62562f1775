import { isIPv4 } from "node:net"
import tlds from "tlds" with { type: "json" }
import type { Db } from "#db/transaction"
import { brokenRule } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import { readPlatform } from "#platform/settings/reads"
import { everydayNames, honestParts, lookalikesOf, protectedNames, tradeWords } from "./protected-names.ts"
import { findUserById } from "./reads.ts"

interface Texts {
  /** Null for somebody who signs up. */
  userId: string | null
  /** Texts that strangers will read, by the name of the field. */
  texts: { readonly [field: string]: string | undefined }
}

/** Platforms keep their own name whatever they are called now. */
const PRODUCT = "Tilinta"

/**
 * Strict protection lets nobody charge under the name of a bank, an authority, a well-known company or the platform, or put the address of a
 * site into a name or title, unless an administrator allowed it. @throws validation_failed
 */
export async function refuseMisleading(
  { db, protection }: { db: Db; protection: Protection },
  { userId, texts }: Texts,
): Promise<void> {
  if (protection === "relaxed") return
  const ownNames = [PRODUCT, (await readPlatform(db)).name]
  for (const [field, text] of Object.entries(texts)) {
    const misleading = text === undefined ? null : misleadingIn(text, ownNames)
    if (misleading === null) continue
    const user = userId === null ? undefined : await findUserById(db, userId)
    if (user?.anyName) return
    throw brokenRule(field, messageOf(misleading))
  }
}

function messageOf(misleading: Misleading): string {
  if (misleading.kind === "address") {
    return "Tire o endereço de site ou de e-mail deste texto: aqui ele não é aceito."
  }
  return `“${misleading.name}” é nome de banco, de órgão público, de empresa conhecida ou desta plataforma, e não é aceito aqui. Se você pode usá-lo, fale com o suporte.`
}

/** A misleading text: it holds the address of a site, or a name that belongs to others. */
type Misleading = { kind: "address" } | { kind: "name"; name: string }

/** Null for a text that misleads nobody. `ownNames` are those of the platform. */
export function misleadingIn(text: string, ownNames: readonly string[]): Misleading | null {
  if (holdsAddress(text)) return { kind: "address" }
  const lines = readings(text)
  const own = ownNames.map((name) => skeletonName(name, false)).filter(({ letters }) => letters !== "")
  const found = [...own, ...knownNames].find((name) => lines.some((line) => holdsName(line, name)))
  return found === undefined ? null : { kind: "name", name: found.name }
}

/** Each character's lookalike. */
const lookalikes = new Map(
  Object.entries(lookalikesOf).flatMap(([sign, alike]) => [...alike].map((each) => [each, sign])),
)

/** The domains of the IANA's list, and those that lead somewhere without being on it. */
const topLevel = new Set([...tlds, "example", "onion"])

const addressSigns = /:\/\/|\bhttps?:(?: ?[/\\]|(?=\S))|\bwww\.|(?<![\p{L}\p{N}-])xn--[a-z\d]/iu
/** 'evil • com', 'evil ponto com': a domain that ends the text or its part; 'Bolos • Com amor' goes on. */
const spacedDomain = /[\p{L}\p{N}](?: ?[.•·∙] ?| ponto | dot )(?:com|net|org)(?:(?= ponto | dot )|(?! ?[\p{L}\p{N}]))/iu
/** 'evil. com agora': a sentence would begin with a capital. */
const brokenDomain = /(?<!\b(?:etc|cia|ltda|sra?|dra?|prof|av))(?<=[\p{L}\p{N}])\. (?:com|net|org)(?![\p{L}\p{N}])/u

/** Dots of other scripts are dots, as browsers read them; so are '(.)', '[dot]' and '(ponto)'. Linear in the text. */
export function holdsAddress(text: string): boolean {
  const plain = [...withoutInvisible(text.normalize("NFKC"))]
    .map((sign) => (/^[./:]$/.test(lookalikes.get(sign) ?? "") ? lookalikes.get(sign) : sign))
    .join("")
    .replace(/\s+/g, " ")
    .replaceAll("。", ".")
    .replace(/[‧·•∙](?! )(?<! .)/gu, ".")
    .replace(/ ?[([{<] ?(?:\.|ponto|dot) ?[)\]}>] ?/giu, ".")
  if (addressSigns.test(plain) || spacedDomain.test(plain) || brokenDomain.test(plain)) return true
  if (plain.split(/[^\d.]/).some((part) => isIPv4(part.replace(/\.$/, "")))) return true
  const parts = plain.split(".")
  return parts
    .slice(1)
    .some((after, before) => isTopLevel(after) && /[\p{L}\p{M}\p{N}_-] ?$/u.test(parts[before] ?? ""))
}

/** Also 'соm' in Cyrillic letters, which people read as the domain. */
function isTopLevel(after: string): boolean {
  const word = /^[\p{L}\p{M}\p{N}]+/u.exec(after)?.[0].toLowerCase() ?? ""
  return topLevel.has(word) || topLevel.has(latinOf(word))
}

/** Zero-width, bidi and formatting characters, with those that only look empty. */
function withoutInvisible(text: string): string {
  return text.replace(/(?![\t\n\r])[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/gu, "")
}

/** The words of one way to read a text, and the same without the parts in which a name stands by chance. */
interface Line {
  words: readonly string[]
  parts: readonly string[]
}

/**
 * How a person may read the text: with signs as letters ('$antander') or as blanks ('N-u-b-a-n-k'), in camelCase, and
 * with pairs that look like one letter ('rn' is 'm', 'cl', whose 'l' is an 'i' by then, is 'd').
 */
function readings(text: string): Line[] {
  // In 'C e F Modas' the 'e' joins two initials, and spells nothing.
  const plain = withoutInvisible(text.normalize("NFKC")).replace(/(?<!\p{L})(\p{Lu}) e (?=\p{Lu}(?!\p{L}))/gu, "$1 & ")
  const split = plain.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
  const skeletons = [plain, split].flatMap((line) => [skeletonOf(line, signs), skeletonOf(line)])
  const lines = skeletons.flatMap((line) => [line, line.replaceAll("rn", "m").replaceAll("ci", "d")])
  return [...new Set(lines)].map((line) => {
    const words = line.split(" ").filter((word) => word !== "")
    return { words, parts: words.map((word) => honest.reduce((rest, part) => rest.replaceAll(part, " "), word)) }
  })
}

interface SkeletonName {
  name: string
  letters: string
  isEveryday: boolean
}

function skeletonName(name: string, isEveryday: boolean): SkeletonName {
  return { name, letters: skeletonOf(name).replaceAll(" ", ""), isEveryday }
}

/** Letters that short are words of their own; longer names also count when blanks split them, or are missing. */
const SHORTEST_SPLIT = 5
/** Shorter names are parts of many words. */
const SHORTEST_PART = 6

function holdsName({ words, parts }: Line, { letters, isEveryday }: SkeletonName): boolean {
  if (words.some((word) => isGlued(word, letters))) return true
  if (!isEveryday && letters.length >= SHORTEST_PART && parts.some((part) => part.includes(letters))) return true
  return words.some((_, from) => {
    const to = endOf(words, from, letters)
    return to !== null && isSpelt(words.slice(from, to), isEveryday) && (!isEveryday || isBrand(words, from, to))
  })
}

/** 'itaucard', 'vivofibra'. */
function isGlued(word: string, letters: string): boolean {
  return (
    (word.startsWith(letters) && trade.has(word.slice(letters.length))) ||
    (word.endsWith(letters) && trade.has(word.slice(0, -letters.length)))
  )
}

/** The end of the words that spell the letters; null when those from here on don't. */
function endOf(words: readonly string[], from: number, letters: string): number | null {
  let joined = ""
  for (let to = from; to < words.length && joined.length < letters.length; to++) {
    joined += words[to] ?? ""
    if (joined === letters) return to + 1
    if (!letters.startsWith(joined)) return null
  }
  return null
}

/** One word, or single letters ('I.N.S.S'); what is long and no everyday word also in other pieces ('Nu bank'). */
function isSpelt(pieces: readonly string[], isEveryday: boolean): boolean {
  if (pieces.length === 1) return true
  if (pieces.every((piece) => piece.length === 1)) return pieces.length > 2
  return !isEveryday && pieces.join("").length >= SHORTEST_SPLIT
}

/** 'Vivo', 'Fatura da Vivo' and 'Vivo Fibra' are the company, 'Vivo Bem' and 'Show ao vivo' aren't. */
function isBrand(words: readonly string[], from: number, to: number): boolean {
  if (words[from - 1] === "ao") return false
  const before = words.slice(0, from).filter((word) => !fillers.has(word))
  const after = words.slice(to).filter((word) => !fillers.has(word))
  if (before.length + after.length === 0) return true
  return trade.has(before.at(-1) ?? "") || trade.has(after[0] ?? "")
}

const fillers = new Set(["a", "da", "das", "de", "do", "dos", "e", "itda", "me", "o", "s", "sa"])

/** Lower case, without accents, each letter that looks like a Latin one replaced by it, all else a blank. */
function skeletonOf(text: string, extra: Readonly<Record<string, string>> = {}): string {
  return latinOf([...text].map((sign) => extra[sign] ?? sign).join(""))
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .split(" ")
    .map((word) => (/^\d\d+$/.test(word) ? word : folded(word)))
    .join(" ")
}

/** In small Latin letters without accents, as far as the text's letters look like them. */
function latinOf(text: string): string {
  return [...text.normalize("NFKD").replace(/\p{M}/gu, "")]
    .map((letter) => {
      const small = letter.toLowerCase()
      // Unicode's table has many a capital without its small letter: 'Ʉ' and not 'ʉ'.
      return (
        lookalikes.get(letter) ?? lookalikes.get(small) ?? readAs[small] ?? lookalikes.get(capitalOf(small)) ?? small
      )
    })
    .join("")
}

function capitalOf(small: string): string {
  return small < "\x80" ? "" : small.toUpperCase()
}

/** Signs that look alike in most fonts are one letter here, in the protected names as well. */
function folded(word: string): string {
  return [...word]
    .map((letter) => digitsAndBars[letter] ?? letter)
    .join("")
    .replaceAll("vv", "w")
}

const digitsAndBars: Readonly<Record<string, string>> = {
  l: "i",
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "6": "b",
  "7": "t",
  "8": "b",
  "9": "g",
}

/** Letters that Unicode's table compares with no Latin one, and people read as one. */
const readAs: Readonly<Record<string, string>> = {
  ð: "d",
  ß: "b",
  ə: "e",
  ĸ: "k",
  ŋ: "n",
  // Cyrillic
  в: "b",
  д: "d",
  з: "e",
  и: "n",
  к: "k",
  л: "n",
  м: "m",
  н: "h",
  п: "n",
  т: "t",
  ц: "u",
  ш: "w",
  щ: "w",
  ь: "b",
  э: "e",
  я: "r",
  // Greek and Coptic
  β: "b",
  δ: "d",
  ε: "e",
  κ: "k",
  λ: "a",
  μ: "u",
  ξ: "e",
  π: "n",
  ς: "c",
  τ: "t",
  χ: "x",
  ω: "w",
  ⲇ: "d",
  ⲛ: "n",
}

const signs: Readonly<Record<string, string>> = {
  "@": "a",
  $: "s",
  "!": "i",
  "|": "i",
  "€": "e",
  "£": "i",
  "¡": "i",
  "₦": "n",
  "₿": "b",
  "₳": "a",
  "₱": "p",
  "₽": "p",
  "₲": "g",
  "₴": "s",
  "₸": "t",
  "₣": "f",
  "∆": "a",
  "∀": "a",
  "∂": "d",
  "∑": "e",
  "∏": "n",
}

const skeletonsOf = (words: readonly string[]) => words.map((word) => skeletonOf(word))
const honest = skeletonsOf(honestParts)
const trade = new Set(skeletonsOf(tradeWords))
const knownNames = [
  ...protectedNames.map((name) => skeletonName(name, false)),
  ...everydayNames.map((name) => skeletonName(name, true)),
]
