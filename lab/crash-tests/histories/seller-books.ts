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
  disputes: Dispute[]
  /** The credits of corrections, less their debits. */
  correctedCents: number
  /** True once money may have left that was not there: the bank took it. */
  mayOwe: boolean
  /** The available balance at the last step, and how often the rules of reserves had changed by then. */
  told: { availableCents: number; ruleChanges: number }
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
  /** The payment at the bank, once it is paid. */
  endToEndId: string | null
  /** Those that were asked of us. */
  refunds: Refund[]
  /** The sum that the bank has taken back by itself, and as much of it as the server has shown. */
  takenCents: number
  takenSeenCents: number
  /** True once the server's answers agree; until then the change is under way. */
  isSeen: boolean
  /** As much of its refunds as the server has shown as given back. */
  backSeenCents: number
}

export interface Refund extends Paid {
  id: string
  /** The last state if nobody does anything more. The bank never answers for one that stays `processing`. */
  end: "completed" | "refused" | "processing"
  askedAtMs: number
  /** Last told, of those whose end is or was in doubt; else null. */
  seen: string | null
}

/** A payer contests a payment, or a part of it. At most one of a payment is open at a time. */
export interface Dispute {
  /** The bank's name of it. */
  id: string
  code: Code
  amountCents: number
  state: "open" | "accepted" | "rejected" | "cancelled"
  /** The seller has answered, and the bank takes it for defended, unless the answer came too late. */
  isDefended: boolean
  /** True once the server has shown what became of it. */
  isSeen: boolean
  /** True once the server has shown it at all. */
  wasSeen: boolean
}

/** A payment without a charge, in the bank's books and in suspense. */
export interface Stray {
  endToEndId: string
  amountCents: number
  meant: Code | null
  isDecided: boolean
  dispute: { id: string; state: "open" | "accepted" } | null
}

export interface Withdrawal {
  id: string
  amountCents: number
  byPix: boolean
  isRefusedByBank: boolean
  /** The bank takes it and never says what became of it, until somebody decides. */
  isUnanswered: boolean
  state: "pending" | "approved" | "completed" | "rejected" | "cancelled"
  /** Shown until the bank's last word is known. */
  before: Withdrawal["state"]
  /** The part that its receiver sent back. */
  returnedCents: number
  isSeen: boolean
}

interface Money {
  /** The net of what was paid, without what went back. */
  received: number
  onItsWay: number
  out: number
  /** The rest: available, blocked or free on a later day. */
  left: number
}

interface Paid {
  amountCents: number
  feeCents: number
}

interface Credit extends Paid {
  /** The part that went back to the payer, or is on its way there, whoever began it. */
  backCents: number
}

/** A withdrawal as it is or may be. */
export interface Shown {
  status: string
  returnedCents: number
}

/** The money rules: every amount that the server shows must follow from payments and requests. */
export function moneyOf(
  { correctedCents, withdrawals }: SellerBooks,
  paid: Credit[],
  shownOf: (withdrawal: Withdrawal) => Shown,
): Money {
  const received = sum(paid.map(netOf)) - sum(paid.map((each) => netBackOf(each)))
  const all = withdrawals.map((each) => ({ ...shownOf(each), amountCents: each.amountCents }))
  const having = (...states: string[]) => all.filter(({ status }) => states.includes(status))
  const onItsWay = sum(having("pending", "approved").map(({ amountCents }) => amountCents))
  const out = sum(having("completed").map(({ amountCents, returnedCents }) => amountCents - returnedCents))
  return { received, onItsWay, out, left: received + correctedCents - onItsWay - out }
}

export function netOf({ amountCents, feeCents }: Paid): number {
  return amountCents - feeCents
}

/** The seller's part of what went back: the fee goes back pro rata, half up, over everything together. */
function netBackOf(paid: Credit): number {
  return paid.backCents - feeBackOf(paid)
}

export function feeBackOf({ amountCents, feeCents, backCents }: Credit): number {
  const due = BigInt(feeCents) * BigInt(backCents) * 2n + BigInt(amountCents)
  return Number(due / (BigInt(amountCents) * 2n))
}

/** The sum that is back in the end, if nobody does anything more. */
export function backInTheEnd({ refunds, takenCents }: Code): number {
  return sum(refunds.filter(({ end }) => end !== "refused").map(({ amountCents }) => amountCents)) + takenCents
}

/** Our refunds, which leave the balance as they are asked for, and as much as the server has shown of the bank's. */
export function backSoFar({ refunds, takenSeenCents }: Code): number {
  const gone = refunds.filter(({ seen, end }) => (seen ?? end) !== "refused")
  return sum(gone.map(({ amountCents }) => amountCents)) + takenSeenCents
}

/** The sum that the server shows as back with the payer once nothing is under way. */
export function paidBackOf({ refunds, takenCents }: Code): number {
  return sum(refunds.filter(({ end }) => end === "completed").map(({ amountCents }) => amountCents)) + takenCents
}

/** The end of its last refund is not known yet, so nothing else may begin on this payment. */
export function isInDoubt({ refunds }: Code): boolean {
  return refunds.some(({ end, seen }) => end === "processing" || (seen !== null && seen !== end))
}

export function openDisputeOf({ disputes }: SellerBooks, code: Code): Dispute | undefined {
  return disputes.find((each) => each.code === code && isUndecided(each))
}

export function isUndecided({ state }: Dispute): boolean {
  return state === "open"
}

/** The seller's part of what the bank may still take. */
export function blockedFor(code: Code, disputedCents: number): number {
  const backCents = backInTheEnd(code)
  const open = Math.min(disputedCents, code.amountCents - backCents)
  return netBackOf({ ...code, backCents: backCents + open }) - netBackOf({ ...code, backCents })
}

/** Half up, to the centavo. */
export function feeOf(amountCents: number, basisPoints: number): number {
  return Number((BigInt(amountCents) * BigInt(basisPoints) * 2n + 10_000n) / 20_000n)
}

/** The final state if nobody does anything more. */
export function endOf(withdrawal: Withdrawal): Shown {
  const { state, byPix, isRefusedByBank, isUnanswered, amountCents, returnedCents } = withdrawal
  if (state === "approved" && byPix && !isUnanswered) {
    return { status: isRefusedByBank ? "rejected" : "completed", returnedCents: 0 }
  }
  return { status: state === "completed" && returnedCents === amountCents ? "rejected" : state, returnedCents }
}

/** Either what it was, or its end. */
export function possibleStatesOf(withdrawal: Withdrawal): Shown[] {
  const end = endOf(withdrawal)
  return withdrawal.isSeen ? [end] : [{ status: withdrawal.before, returnedCents: 0 }, end]
}

export function isFull({ codes }: SellerBooks, page: Page): boolean {
  return !page.takesMany && codes.some((code) => code.page === page && code.state === "paid")
}

export function isPaidUnseen({ codes }: SellerBooks, page: Page): boolean {
  return codes.some((code) => code.page === page && code.state === "paid" && !code.isSeen)
}

/** Lower and upper bound of what can be spent: changes under way may have happened or not. */
export function availableBounds(books: SellerBooks, { ruleChanges }: { ruleChanges: number }): Bounds {
  const { codes, disputes, withdrawals, told } = books
  const paid = codes.filter(({ state }) => state === "paid")
  const most = moneyOf(
    books,
    paid.map((code) => ({ ...code, backCents: Math.min(backSoFar(code), backInTheEnd(code)) })),
    (withdrawal) => leastOut(possibleStatesOf(withdrawal)),
  )
  const taken = sum(paid.map(({ takenCents, takenSeenCents }) => takenCents - takenSeenCents))
  const disputed = sum(disputes.filter(({ isSeen }) => !isSeen).map(({ amountCents }) => amountCents))
  const late = withdrawals.filter((each) => !each.isSeen && each.before === "rejected")
  const lateRefunds = paid.flatMap(({ refunds }) => refunds.filter(isPaidLate))
  const mayGo = taken + disputed + sum([...late, ...lateRefunds].map(({ amountCents }) => amountCents))
  // A change of the rules may hold some of the last sales.
  const least = told.ruleChanges === ruleChanges ? told.availableCents - mayGo : 0
  return { least: Math.max(0, least), most: Math.max(0, most.left) }
}

interface Bounds {
  least: number
  most: number
}

function isPaidLate({ seen, end }: Refund): boolean {
  return seen === "refused" && end === "completed"
}

function leastOut(possible: Shown[]): Shown {
  const isBack = ({ status }: Shown) => status === "rejected" || status === "cancelled"
  return (
    possible.find(isBack) ??
    possible.toSorted((one, other) => other.returnedCents - one.returnedCents)[0] ?? {
      status: "rejected",
      returnedCents: 0,
    }
  )
}

export function countUnderWay({ codes, withdrawals, disputes }: SellerBooks): number {
  const payments = codes.filter(({ state, isSeen }) => state === "paid" && !isSeen)
  const payouts = withdrawals.filter(({ isSeen }) => !isSeen)
  const returns = codes.filter((code) => paidBackOf(code) !== code.backSeenCents)
  const doubts = codes.flatMap(({ refunds }) => refunds).filter(({ seen, end }) => seen !== null && seen !== end)
  const contested = disputes.filter(({ isSeen }) => !isSeen)
  return payments.length + payouts.length + returns.length + doubts.length + contested.length
}

export function centsOf(reais: number): number {
  // Plus zero, because a sum that is zero may be below it.
  return Math.round(reais * 100) + 0
}

export function sum(amounts: number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
