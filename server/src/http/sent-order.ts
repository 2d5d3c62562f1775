import type { SentOrder } from "@tilinta/contract/api/order-fields"
import type { Order, OrderChanges } from "#domain/selling/charge-pages/order"

/** A creation has nothing that it doesn't send. */
export function orderFrom({ externalReference, metadata, returnUrl }: SentOrder): Order {
  return { externalReference: externalReference ?? null, metadata: metadata ?? {}, returnUrl: returnUrl ?? null }
}

/** An update leaves alone what it doesn't send; null removes. */
export function orderChangesFrom({ externalReference, metadata, returnUrl }: SentOrder): OrderChanges {
  return { externalReference, returnUrl, metadata: metadata === null ? {} : metadata }
}
