import type { DestinationOwner, DestinationProof, SaidOwner } from "@tilinta/contract/vocabulary/withdrawals"
import type { Destination } from "#money/withdrawals/withdrawal"
import type { Order } from "#platform/order-macs/macs"

export interface UsedDestination {
  id: string
  sellerId: string
  destination: Destination
  firstUsedAt: Date
  lastUsedAt: Date
  confirmedBy: DestinationProof | null
  /** Null while neither the bank nor a person said anything of its holder. */
  saidOwner: SaidOwner | null
}

/** The word on a destination's holder, as it is stored. */
export interface OwnerWord extends Pick<UsedDestination, "id" | "sellerId" | "firstUsedAt"> {
  target: string
  owner: SaidOwner | null
  reason: string
  /** Null for the bank's own answer. */
  by: string | null
  at: Date | null
}

/** Signed, so that writing into the database alone makes no destination the seller's own. A removed one needs a new word. */
export function ownerOrder({ id, sellerId, target, firstUsedAt, owner, reason, by, at }: OwnerWord): Order {
  const facts = [sellerId, target, firstUsedAt.toISOString(), owner, reason, by, at?.toISOString() ?? null]
  return { act: "destination.owner", id, facts }
}

/** The CPF or CNPJ that is the key; null of other kinds of key, which don't tell whose they are. */
export function documentOf(destination: Destination): string | null {
  if (destination.method !== "pix") return null
  const { kind, key } = destination.pixKey
  return kind === "cpf" || kind === "cnpj" ? key : null
}

interface Identity {
  /** Empty where the seller gave none. */
  cpf: string
  /** The one of the seller's shop; null without one that this platform wrote. */
  cnpj: string | null
}

export function isOwnDocument(document: string | null, { cpf, cnpj }: Identity): boolean {
  return document !== null && (document === cpf || document === cnpj)
}

/** A key that is a document says itself whose it is, unless a person knows better. */
export function ownerOf(destination: Destination, own: Identity, said: SaidOwner | null): DestinationOwner {
  const document = documentOf(destination)
  if (isOwnDocument(document, own)) return "own"
  return said ?? (document === null ? "unknown" : "other")
}

/** The holder as the bank's app shows them before a payment. */
export interface ShownHolder {
  name: string
  /** Masked: any sign stands for a hidden digit. */
  document: string
}

/**
 * The document decides, as its holder chose it for good, and the name agrees with it. Names that anybody may write, and
 * letters that only look like ours, prove nothing.
 */
export function isHolder(shown: ShownHolder, seller: Identity & { name: string }): boolean {
  if (seller.cnpj !== null && hidesOnly(shown.document, seller.cnpj)) return true
  return seller.cpf !== "" && hidesOnly(shown.document, seller.cpf) && isNameOf(shown.name, seller.name)
}

/** Banks show at least the six digits in the middle of a CPF. */
const FEWEST_SHOWN = 6

function hidesOnly(shown: string, document: string): boolean {
  const signs = [...shown]
    .filter((sign) => /[\dA-Za-z*•xX]/.test(sign))
    .map((sign) => (/[*•xX]/.test(sign) ? "*" : sign))
  if (signs.length !== document.length || signs.filter((sign) => sign !== "*").length < FEWEST_SHOWN) return false
  return signs.every((sign, at) => sign === "*" || sign.toUpperCase() === document[at])
}

const joining = new Set(["da", "de", "do", "das", "dos", "e"])

/** The same first and last name; names between them may be missing, or be an initial, and banks cut long ones off. */
function isNameOf(shown: string, name: string): boolean {
  const [written, known] = [wordsOf(shown), wordsOf(name)]
  if (written === null || known === null || written.length < 2 || known.length < 2) return false
  const [short, long] = written.length <= known.length ? [written, known] : [known, written]
  const [lastWritten = "", lastKnown = ""] = [written.at(-1), known.at(-1)]
  if (short[0] !== long[0] || !lastKnown.startsWith(lastWritten) || lastWritten.length < Math.min(3, lastKnown.length))
    return false
  const between = long.slice(1, -1)
  return short.slice(1, -1).every((word) => {
    const at = between.findIndex((each) => each === word || each[0] === word || each === word[0])
    if (at >= 0) between.splice(0, at + 1)
    return at >= 0
  })
}

/** Null where a letter is none of ours. */
function wordsOf(text: string): string[] | null {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
  if (/[^a-z0-9\s.,&'’-]/.test(plain)) return null
  return (plain.match(/[a-z0-9]+/g) ?? []).filter((word) => !joining.has(word))
}
