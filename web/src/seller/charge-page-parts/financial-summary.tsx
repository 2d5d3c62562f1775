import { useEffect, useId, useState } from "react"
import { formatReais, splitReais } from "#format/money-text.ts"
import { BigAmount } from "#ui/amounts.tsx"
import { Button } from "#ui/button.tsx"
import { Field } from "#ui/field.tsx"
import { MoneyInput } from "#ui/masked-inputs.tsx"
import { breakdownOf, chargeFor, defaultFee, feeText, useFee } from "../fee/fee-card.tsx"

/** The value after it has not changed for this long. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** The inverse calculation: from the wanted net amount to the amount to charge. */
export function NetCalculator({ onAmount }: { onAmount: (reais: number) => void }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="min-h-8 text-left text-label font-semibold text-mint underline-offset-4 hover:underline max-md:min-h-11"
      >
        Quanto cobrar para receber um valor?
      </button>
      <div id={id} hidden={!isOpen} className="mt-2 rounded-m border border-line bg-bg p-4">
        {isOpen && (
          <Calculator
            onUse={(reais) => {
              onAmount(reais)
              setIsOpen(false)
            }}
          />
        )}
      </div>
    </div>
  )
}

function Calculator({ onUse }: { onUse: (reais: number) => void }) {
  const [wanted, setWanted] = useState<number | null>(null)
  const rule = useFee() ?? defaultFee
  const gross = wanted === null || wanted === 0 ? null : chargeFor(wanted, rule)
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <Field label="Quero receber" className="min-w-0 flex-1 basis-44">
        {(described) => <MoneyInput {...described} value={wanted} onChange={setWanted} />}
      </Field>
      <p role="status" className="min-h-11 min-w-0 flex-1 basis-44 content-center text-label text-t2">
        {wanted !== null && wanted > 0 && gross !== null && (
          <>
            Quanto cobrar para receber {formatReais(wanted)}?{" "}
            <b className="font-[650] whitespace-nowrap text-t1 tabular-nums">{formatReais(gross)}</b>
          </>
        )}
        {wanted !== null && wanted > 0 && gross === null && "Não é possível receber este valor em uma só cobrança."}
      </p>
      <Button disabled={gross === null} onClick={() => gross !== null && onUse(gross)}>
        Usar este valor
      </Button>
    </div>
  )
}

/** The seller's net amount, updated while they type. */
export function FinancialSummary({ amount }: { amount: number | null }) {
  const rule = useFee() ?? defaultFee
  const { gross, fee, net } = breakdownOf(amount, rule)
  return (
    <section
      aria-labelledby="summary-title"
      className="rounded-xl border border-mint-line bg-[radial-gradient(130%_150%_at_0%_0%,oklch(0.285_0.048_178)_0%,oklch(0.225_0.026_195)_46%,var(--color-s1)_100%)] p-6 shadow-card"
    >
      <h2 id="summary-title" className="text-label font-semibold text-t2">
        Resumo financeiro
      </h2>
      <p className="mt-3 text-meta text-t2">Valor líquido</p>
      <BigAmount parts={splitReais(net)} />
      <dl className="mt-4 grid gap-2 border-t border-mint-line pt-4 text-label tabular-nums">
        <Line term="Valor bruto" value={formatReais(gross)} />
        <Line term={`Taxa (${feeText(rule)})`} value={formatReais(-fee)} />
      </dl>
    </section>
  )
}

function Line({ term, value }: { term: string; value: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-t2">{term}</dt>
      <dd className="font-semibold whitespace-nowrap">{value}</dd>
    </div>
  )
}
