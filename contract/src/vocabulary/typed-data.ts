import { digitsOf, isCpf } from "./payer-data.ts"

/**
 * One way in for each kind of data that people type: form and server read it alike, before any limit applies. Each
 * parser returns the one form that is stored, and null for what it can't read. Kept free of the schema library.
 */

/** Contacts are pasted with marks around them that nobody sees. */
export const unseenMarks = /\p{Cf}/gu

/** Wide digits and letters of Asian keyboards are the same as ours. */
function plain(typed: string): string {
  return typed.normalize("NFKC").replace(unseenMarks, "").trim()
}

/** The digits of a text that has nothing but digits and their separators; else the text as it is. */
export function bareDigits(typed: string): string {
  return /^[\d\s()./\-\p{Pd}]+$/u.test(plain(typed)) ? digitsOf(typed) : typed
}

const firstWeights = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
const secondWeights = [6, ...firstWeights]

/** Fourteen signs, in capitals where the CNPJ has letters, as those issued since 2026: each counts as its code minus 48. */
export function parseCnpj(typed: string): string | null {
  const signs = plain(typed)
    .toUpperCase()
    .replace(/[\s./\-\p{Pd}]/gu, "")
  if (!/^[A-Z\d]{12}\d{2}$/.test(signs) || /^(.)\1{13}$/.test(signs)) return null
  const isRight = [firstWeights, secondWeights].every((weights) => {
    const rest = weights.reduce((sum, weight, i) => sum + weight * (signs.charCodeAt(i) - 48), 0) % 11
    return Number(signs[weights.length]) === (rest < 2 ? 0 : 11 - rest)
  })
  return isRight ? signs : null
}

/** The eleven digits of a CPF, or a CNPJ. */
export function parseDocument(typed: string): string | null {
  const digits = bareDigits(typed)
  return isCpf(digits) ? digits : parseCnpj(typed)
}

/** As people read it, with its punctuation. */
export function documentText(document: string): string {
  if (document.length === 11) return document.replace(/^(.{3})(.{3})(.{3})(.{2})$/, "$1.$2.$3-$4")
  return document.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, "$1.$2.$3/$4-$5")
}

export function documentName(document: string): "CPF" | "CNPJ" {
  return document.length === 11 ? "CPF" : "CNPJ"
}

/** 'CPF 529.982.247-25', for where nothing else says which it is. */
export function namedDocument(document: string): string {
  return `${documentName(document)} ${documentText(document)}`
}

/** Country, trunk zero with the carrier's two digits, area code in use, then a mobile number with its 9 or a land line. */
const phonePattern =
  /^(?:0{0,2}55)?(?:0(?:\d\d)?)?((?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])(?:9\d{8}|[2-5]\d{7}))$/

/** The 10 or 11 digits of a Brazilian phone number as people write it, with area code. */
export function parsePhone(typed: string): string | null {
  const text = plain(typed).replace(/^(\(?0) ?xx/i, "$1")
  if (!/^\+?[\d\s().\-\p{Pd}]+$/u.test(text) || /^(?:\+|00)(?! ?\(?55)/.test(text)) return null
  return phonePattern.exec(digitsOf(text))?.[1] ?? null
}

/** The eight digits of a postal code. */
export function parseZipCode(typed: string): string | null {
  const digits = bareDigits(typed)
  return /^\d{8}$/.test(digits) ? digits : null
}

const states =
  "AC Acre AL Alagoas AP Amapá AM Amazonas BA Bahia CE Ceará DF Distrito-Federal ES Espírito-Santo GO Goiás MA Maranhão " +
  "MT Mato-Grosso MS Mato-Grosso-do-Sul MG Minas-Gerais PA Pará PB Paraíba PR Paraná PE Pernambuco PI Piauí " +
  "RJ Rio-de-Janeiro RN Rio-Grande-do-Norte RS Rio-Grande-do-Sul RO Rondônia RR Roraima SC Santa-Catarina SP São-Paulo " +
  "SE Sergipe TO Tocantins"

/** The two letters of a state, of which browsers fill in the name. */
export function parseState(typed: string): string | null {
  const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").replace(/ +/g, "-").toUpperCase()
  const words = states.split(" ")
  const at = words.map(folded).indexOf(folded(plain(typed)))
  return at < 0 ? null : (words[at - (at % 2)] ?? null)
}

const localPart = /^[\w!#$&'*+/=?^`{|}~%-]+(?:\.[\w!#$&'*+/=?^`{|}~%-]+)*$/
const domainLabel = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

/**
 * An address that mail can be sent to: no dot too many, no letter before the @ that most servers refuse, a domain with
 * its end. International domains become the ASCII that the mail system knows.
 */
export function parseEmail(typed: string): string | null {
  const text = typed.trim()
  const at = text.lastIndexOf("@")
  const local = text.slice(0, at)
  const domain = asciiDomain(text.slice(at + 1))
  const labels = domain.split(".")
  const isDomain =
    labels.length > 1 && labels.every((label) => domainLabel.test(label)) && /^(?=.*\D)../.test(labels.at(-1) ?? "")
  if (!isDomain || local.length > 64 || !localPart.test(local)) return null
  return local.length + domain.length < 254 ? `${local}@${domain}` : null
}

function asciiDomain(domain: string): string {
  if (!/[^\0-\x7f]/.test(domain)) return domain
  return /[\s/?#@:\\%[\]]/.test(domain) ? "" : (URL.parse(`http://${domain}`)?.hostname ?? "")
}

/** Also takes addresses of the installation itself, such as the first administrator's `admin@localhost`. */
export function isEmail(value: string): boolean {
  return parseEmail(value) !== null || parseEmail(value.replace(/@localhost$/i, "@localhost.tld")) !== null
}
