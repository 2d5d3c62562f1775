/** Larger amounts are invalid everywhere. */
export const mostAtOnceCents = 999_999_999

/** The test's own model of one seller, in integer centavos. It shares no code with the server. */
export interface SellerBooks {
  sellerId: string
  email: string
  token: string
  pages: Page[]
  codes: Code[]
  withdrawals: Withdrawal[]
  strays: Stray[]
  /** The statement as it was last read at rest: it only grows. */
  linesTold: StatementLine[]
}

export interface StatementLine {
  at: string
  day: string
  amountCents: number
  balanceCents: number
  reference: string
}

export interface Page {
  id: string
  amountCents: number
  takesMany: boolean
  state: "active" | "cancelled" | "deleted"
}

/** A Pix shown on the seller's page, or an accepted stray payment. `paid` as soon as the bank says so. */
export interface Code {
  id: string
  /** Null for a stray payment. */
  pixCode: string | null
  page: Page | null
  amountCents: number
  feeBasisPoints: number
  feeCents: number
  state: "open" | "ended" | "expired" | "paid"
  refunds: Paid[]
  /** True once the server's answers agree; until then the change is under way. */
  isSeen: boolean
  /** As much of its refunds as the server has shown as given back. */
  backSeenCents: number
}

/** A payment without a charge, in the bank's books and in suspense. */
export interface Stray {
  endToEndId: string
  amountCents: number
  meant: Code | null
  isDecided: boolean
}

export interface Withdrawal {
  id: string
  amountCents: number
  byPix: boolean
  isRefusedByBank: boolean
  state: "pending" | "approved" | "completed" | "rejected" | "cancelled"
  isSeen: boolean
}

export interface Money {
  onItsWay: number
  out: number
  available: number
}

interface Paid {
  amountCents: number
  feeCents: number
}

type Credit = Paid & { refunds: Paid[] }

type Statuses = (withdrawal: Withdrawal) => string

/** The money rules: every amount that the server shows must follow from payments and requests. */
export function moneyOf(paid: Credit[], withdrawals: Withdrawal[], statusOf: Statuses): Money {
  const received = sum(paid.map(netOf))
  const refunded = sum(paid.flatMap(({ refunds }) => refunds.map(netOf)))
  const having = (...states: string[]) =>
    sum(withdrawals.filter((each) => states.includes(statusOf(each))).map(({ amountCents }) => amountCents))
  const onItsWay = having("pending", "approved")
  const out = having("completed")
  return { onItsWay, out, available: received - refunded - onItsWay - out }
}

export function netOf({ amountCents, feeCents }: Paid): number {
  return amountCents - feeCents
}

export function refundedOf({ refunds }: Code): number {
  return sum(refunds.map(({ amountCents }) => amountCents))
}

export function isBack(code: Code): boolean {
  return refundedOf(code) === code.amountCents
}

/** Half up, to the centavo. */
export function feeOf(amountCents: number, basisPoints: number): number {
  return Number((BigInt(amountCents) * BigInt(basisPoints) * 2n + 10_000n) / 20_000n)
}

/** The final state if nobody does anything more. */
export function endOf({ state, byPix, isRefusedByBank }: Withdrawal): Withdrawal["state"] {
  if (state !== "approved" || !byPix) return state
  return isRefusedByBank ? "rejected" : "completed"
}

export function isFull({ codes }: SellerBooks, page: Page): boolean {
  return !page.takesMany && codes.some((code) => code.page === page && code.state === "paid")
}

export function isPaidUnseen({ codes }: SellerBooks, page: Page): boolean {
  return codes.some((code) => code.page === page && code.state === "paid" && !code.isSeen)
}

/** Lower and upper bound of the available balance: changes under way may have happened or not. */
export function availableBounds({ codes, withdrawals }: SellerBooks): { least: number; most: number } {
  const paid = codes.filter(({ state }) => state === "paid")
  const before: Statuses = (withdrawal) => (withdrawal.isSeen ? endOf(withdrawal) : withdrawal.state)
  const seen = paid.filter(({ isSeen }) => isSeen)
  return {
    least: moneyOf(seen, withdrawals, before).available,
    most: moneyOf(paid, withdrawals, endOf).available,
  }
}

export function countUnderWay({ codes, withdrawals }: SellerBooks): number {
  const payments = codes.filter(({ state, isSeen }) => state === "paid" && !isSeen)
  const payouts = withdrawals.filter((withdrawal) => endOf(withdrawal) !== withdrawal.state && !withdrawal.isSeen)
  const returns = codes.filter((code) => refundedOf(code) !== code.backSeenCents)
  return payments.length + payouts.length + returns.length
}

export function centsOf(reais: number): number {
  // Plus zero, because a sum that is zero may be below it.
  return Math.round(reais * 100) + 0
}

export function sum(amounts: number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
