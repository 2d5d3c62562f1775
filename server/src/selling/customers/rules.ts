import type { CreateCustomerBody, CustomerBody, UpdateCustomerBody } from "@tilinta/contract/customers"

export interface CustomerFields {
  name: string
  /** A CPF, eleven digits, or a CNPJ, fourteen signs; null when unknown. */
  document: string | null
  email: string | null
  phone: string | null
  /** Parts that are empty may be missing. */
  address: Record<string, string>
  notes: string
  externalReference: string | null
}

export interface Customer extends CustomerFields {
  id: string
  sellerId: string
  createdAt: Date
  updatedAt: Date
  archivedAt: Date | null
}

/** A creation has nothing that it doesn't send. */
export function customerFieldsFrom(sent: CustomerBody | CreateCustomerBody): CustomerFields {
  return withCustomerChanges(nobody, sent)
}

const nobody: CustomerFields = {
  name: "",
  document: null,
  email: null,
  phone: null,
  address: {},
  notes: "",
  externalReference: null,
}

/** Fields that are not sent stay; empty text and null remove. */
export function withCustomerChanges<Fields extends CustomerFields>(before: Fields, sent: UpdateCustomerBody): Fields {
  const { name, document, email, phone, address, notes, externalReference } = sent
  return {
    ...before,
    name: name ?? before.name,
    document: document === undefined ? before.document : document || null,
    email: email === undefined ? before.email : email || null,
    phone: phone === undefined ? before.phone : phone || null,
    address: address === undefined ? before.address : partsOf(address ?? {}),
    notes: notes === undefined ? before.notes : (notes ?? ""),
    externalReference: externalReference === undefined ? before.externalReference : externalReference,
  }
}

function partsOf(address: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(address).filter(([, part]) => part !== ""))
}

/** Those by which a customer who is known already may be found. */
export type Identity = Pick<CustomerFields, "name" | "document" | "email" | "externalReference">

/** Without accents, as names and headings are compared. */
export function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase()
}

/** One name says less than the other, or shortens it: 'Ana S.' is Ana Souza Lima. */
function isSameName(one: string, other: string): boolean {
  const [few = [], many = []] = [one, other]
    .map((name) => folded(name).match(/[\p{L}\d]+/gu) ?? [])
    .toSorted((first, second) => first.length - second.length)
  return few.every((word) => many.some((longer) => longer.startsWith(word) || word.startsWith(longer)))
}

/**
 * Finds the customer with a document, else with an e-mail, else with a reference; of several, the one who was added first.
 * A person with the e-mail or reference of another, but another document, is somebody else; so is another name with the e-mail of
 * their family.
 */
export function createCustomerFinder<Known extends Identity>(all: readonly Known[]) {
  const byDocument = new Map<string | null, Known>()
  const byEmail = new Map<string | undefined, Known[]>()
  const byReference = new Map<string | null, Known>()

  function add(known: Known): void {
    const { document, email, externalReference } = known
    if (document !== null) byDocument.set(document, known)
    if (externalReference !== null) byReference.set(externalReference, known)
    if (email === null) return
    const alike = byEmail.get(email.toLowerCase())
    if (alike === undefined) byEmail.set(email.toLowerCase(), [known])
    else alike.push(known)
  }

  function find({ name, document, email, externalReference }: Identity): Known | undefined {
    const mayBe = (known: Known) => document === null || known.document === null
    const ofEmail = byEmail.get(email?.toLowerCase()) ?? []
    const same = byDocument.get(document) ?? ofEmail.find((known) => mayBe(known) && isSameName(known.name, name))
    const named = byReference.get(externalReference)
    return same ?? (named !== undefined && mayBe(named) ? named : undefined)
  }

  for (const known of all) add(known)
  return { add, find, isReferenceTaken: (reference: string | null) => byReference.has(reference) }
}
