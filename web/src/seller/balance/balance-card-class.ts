const base = "rounded-xl border shadow-card"
const inCredit =
  "border-mint-line bg-[radial-gradient(130%_150%_at_0%_0%,oklch(0.285_0.048_178)_0%,oklch(0.225_0.026_195)_46%,var(--color-s1)_100%)]"
const inDebt = "border-coral-line bg-s1"

/** The surface of a card that shows the available balance: mint, or coral for a debt. */
export function balanceCardClass(balance: number | undefined): string {
  return `${base} ${balance !== undefined && balance < 0 ? inDebt : inCredit}`
}
