import { BigAmount } from "#ui/big-amount.tsx"
import { useReaisParts } from "#ui/shown-amounts.ts"

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
