import { BigAmount, useReaisParts } from "#ui/amounts.tsx"

const base = "rounded-xl border shadow-card"
const inCredit =
  "border-mint-line bg-[radial-gradient(130%_150%_at_0%_0%,oklch(0.285_0.048_178)_0%,oklch(0.225_0.026_195)_46%,var(--color-s1)_100%)]"
const inDebt = "border-coral-line bg-s1"

/** The surface of a card that shows the available balance: mint, or coral for a debt. */
export function balanceCardClass(balance: number | undefined): string {
  return `${base} ${balance !== undefined && balance < 0 ? inDebt : inCredit}`
}

interface Props {
  reais: number
  className?: string
}

/** The available balance; a negative one with its reason and with what happens now. */
export function BalanceAmount({ reais, className = "" }: Props) {
  const isNegative = reais < 0
  return (
    <div className={className}>
      <BigAmount parts={useReaisParts(reais)} isNegative={isNegative} />
      {isNegative && (
        <p className="mt-2 max-w-[52ch] text-[13.5px] leading-snug text-t2">
          <b className="font-semibold text-coral">Saldo negativo.</b> O banco estornou ou bloqueou um pagamento cujo
          valor já tinha saído do saldo. Os próximos recebimentos cobrem a diferença; até lá, não é possível sacar nem
          estornar.
        </p>
      )}
    </div>
  )
}
