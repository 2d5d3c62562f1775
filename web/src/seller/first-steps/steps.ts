import { createStoredSwitch } from "#ui/browser-hooks.ts"

export const hasSharedLink = createStoredSwitch("link-shared")

export function rememberShared(): void {
  if (!hasSharedLink.isOn()) hasSharedLink.toggle()
}

export interface Progress {
  hasShop: boolean
  chargePages: number
  hasShared: boolean
  transactions: number
  payments: number
}

export interface Step {
  name: "shop" | "charge" | "share" | "payment"
  state: "done" | "next" | "ahead"
}

/**
 * The way of a new seller to the first payment, which ends it. Nobody has to make a shop, and a generated Pix proves that
 * the link was shared.
 */
export function stepsOf({ hasShop, chargePages, hasShared, transactions, payments }: Progress): Step[] {
  const hasCharge = chargePages > 0
  const way = [
    { name: "shop", isDone: hasShop },
    { name: "charge", isDone: hasCharge },
    { name: "share", isDone: hasCharge && (hasShared || transactions > 0) },
    { name: "payment", isDone: payments > 0 },
  ] as const
  const next = way.find(({ name, isDone }) => !isDone && !(name === "shop" && hasCharge))
  return way.map(({ name, isDone }) => ({ name, state: isDone ? "done" : name === next?.name ? "next" : "ahead" }))
}
