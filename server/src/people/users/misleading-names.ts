import type { Db } from "#db/transaction"
import { brokenRule } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import { readPlatform } from "#platform/settings/reads"
import { protectedNames } from "./protected-names.ts"
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
 * Strict protection lets nobody charge under the name of a bank, an authority or the platform, or put the address of a
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
  return `“${misleading.name}” é nome de banco, de órgão público ou desta plataforma, e não é aceito aqui. Se você pode usá-lo, fale com o suporte.`
}

/** A misleading text: it holds the address of a site, or a name that belongs to others. */
type Misleading = { kind: "address" } | { kind: "name"; name: string }

/** Null for a text that misleads nobody. `ownNames` are those of the platform. */
export function misleadingIn(text: string, ownNames: readonly string[]): Misleading | null {
  if (holdsAddress(text)) return { kind: "address" }
  const words = readings(text).map(wordsOf)
  const name = [...ownNames, ...protectedNames].find((each) => {
    const letters = skeletonOf(each, confusables)
    return letters !== "" && words.some((line) => holdsName(line, letters))
  })
  return name === undefined ? null : { kind: "name", name }
}

/** Domains that Brazilians meet, and those that fraud buys. A dot between two other words is only a typo. */
const domains =
  "com|net|org|br|gov|edu|io|app|link|me|xyz|info|site|online|shop|store|top|club|dev|page|ly|gl|gg|co|tv|cc|live|" +
  "click|vip|pro|fun|biz|pt|uk|ru|cn|eu|space|website|web|digital|finance|bank|money|cloud|tech|email|" +
  "support|help|example"

const address = new RegExp(`://|\\bwww[.]|[\\p{L}\\p{N}_-] ?[.](?:${domains})(?![\\p{L}\\p{N}])`, "u")

/** Dots of other scripts are dots, as browsers read them; so are '(.)' and '[.]'. */
export function holdsAddress(text: string): boolean {
  const folded = withoutInvisible(text.normalize("NFKC")).toLowerCase()
  return address.test(folded.replace(/[。．｡․‧·]/gu, ".").replace(/\s*[([{]\s*[.]\s*[)\]}]\s*/gu, "."))
}

/** Zero-width, bidi and formatting characters, with those that only look empty. */
function withoutInvisible(text: string): string {
  return text.replace(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/gu, "")
}

/** How a person may read the text: with signs as letters ('$antander') or as blanks ('N-u-b-a-n-k'), or in camelCase. */
function readings(text: string): string[] {
  const plain = withoutInvisible(text.normalize("NFKC"))
  const split = plain.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
  return [...new Set([plain, split])].flatMap((line) => [
    skeletonOf(line, { ...confusables, ...signs }),
    skeletonOf(line, confusables),
  ])
}

function wordsOf(skeleton: string): string[] {
  return skeleton.split(" ").filter((word) => word !== "")
}

/** Letters that short are words of their own; longer names also count when blanks split them, or are missing. */
const SHORTEST_SPLIT = 5

function holdsName(words: readonly string[], skeleton: string): boolean {
  const letters = skeleton.replaceAll(" ", "")
  return words.some((_, from) => {
    let joined = ""
    for (const [count, word] of words.slice(from, from + letters.length).entries()) {
      joined += word
      if (joined === letters) return count === 0 || letters.length >= SHORTEST_SPLIT
      if (!letters.startsWith(joined)) return false
    }
    return false
  })
}

/** Lower case, without accents, each letter that looks like a Latin one replaced by it, all else a blank. */
function skeletonOf(text: string, alike: Readonly<Record<string, string>>): string {
  const marked = text.normalize("NFKD").replace(/\p{M}/gu, "")
  const bare = [...marked]
    .map((letter) => capitals[letter] ?? letter)
    .join("")
    .toLowerCase()
  const latin = [...bare].map((letter) => alike[letter] ?? letter).join("")
  return latin
    .replaceAll("vv", "w")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
}

/** 'i', 'l' and '1' look alike in most fonts, so all three are 'i' here, in the protected names as well. */
const confusables: Readonly<Record<string, string>> = {
  l: "i",
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "9": "g",
  // Latin letters that normalisation keeps
  ı: "i",
  ł: "i",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ŧ: "t",
  æ: "ae",
  œ: "oe",
  ß: "ss",
  ɑ: "a",
  ɡ: "g",
  ɩ: "i",
  ɪ: "i",
  ɴ: "n",
  ʀ: "r",
  ʙ: "b",
  ᴀ: "a",
  ᴄ: "c",
  ᴅ: "d",
  ᴇ: "e",
  ᴋ: "k",
  ᴏ: "o",
  ᴛ: "t",
  ᴜ: "u",
  ꜱ: "s",
  // Cyrillic
  а: "a",
  в: "b",
  г: "r",
  е: "e",
  з: "e",
  и: "n",
  і: "i",
  ј: "j",
  к: "k",
  м: "m",
  н: "h",
  о: "o",
  п: "n",
  р: "p",
  с: "c",
  т: "t",
  у: "y",
  ү: "y",
  х: "x",
  ѕ: "s",
  ԁ: "d",
  ԛ: "q",
  ԝ: "w",
  һ: "h",
  ӏ: "i",
  ь: "b",
  ц: "u",
  // Greek
  α: "a",
  β: "b",
  γ: "y",
  ε: "e",
  η: "n",
  ι: "i",
  κ: "k",
  μ: "u",
  ν: "v",
  ο: "o",
  π: "n",
  ρ: "p",
  σ: "o",
  ς: "c",
  τ: "t",
  υ: "u",
  χ: "x",
  ω: "w",
  // Armenian and Cherokee letters that fraud uses
  ո: "n",
  ս: "u",
  օ: "o",
  հ: "h",
  ց: "g",
}

/** Greek capitals look like other letters than their small ones. */
const capitals: Readonly<Record<string, string>> = { Η: "h", Ν: "n", Υ: "y", Μ: "m" }

const signs: Readonly<Record<string, string>> = { "@": "a", $: "s", "!": "i", "|": "i", "€": "e", "£": "i", "¡": "i" }
