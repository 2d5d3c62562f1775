/** The seller's own name and facts for what a page charges for. It belongs to the page: every charge of the page is of it. */
export interface Order {
  /** A seller never has one twice. */
  externalReference: string | null
  metadata: Record<string, string>
  /** The address to which the payer goes on after paying. */
  returnUrl: string | null
}

export const noOrder: Order = { externalReference: null, metadata: {}, returnUrl: null }

/** Missing fields stay as they are; the pairs are replaced as a whole. */
export type OrderChanges = { [Field in keyof Order]?: Order[Field] | undefined }

export function withOrderChanges(order: Order, changes: OrderChanges): Order {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return given.length === 0 ? order : { ...order, ...Object.fromEntries(given) }
}
