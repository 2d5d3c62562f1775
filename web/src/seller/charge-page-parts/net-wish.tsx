import { useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { formatReais } from "#format/money-text.ts"
import { Button } from "#ui/button.tsx"
import { Field } from "#ui/field.tsx"
import { MoneyInput } from "#ui/money-input.tsx"
import { chargeFor, defaultFee, feeQuery } from "../fee/fee-data.ts"

/** The inverse calculation: from the wanted net amount to the amount to charge. */
export function NetWish({ onAmount }: { onAmount: (reais: number) => void }) {
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
  const [wish, setWish] = useState<number | null>(null)
  const { data: fee = defaultFee } = useQuery(feeQuery)
  const gross = wish === null || wish === 0 ? null : chargeFor(wish, fee)
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <Field label="Quero receber" className="min-w-0 flex-1 basis-44">
        {(described) => <MoneyInput {...described} value={wish} onChange={setWish} />}
      </Field>
      <p role="status" className="min-h-11 min-w-0 flex-1 basis-44 content-center text-label text-t2">
        {wish !== null && wish > 0 && gross !== null && (
          <>
            Quanto cobrar para receber {formatReais(wish)}?{" "}
            <b className="font-[650] whitespace-nowrap text-t1 tabular-nums">{formatReais(gross)}</b>
          </>
        )}
        {wish !== null && wish > 0 && gross === null && "Não é possível receber este valor em uma só cobrança."}
      </p>
      <Button disabled={gross === null} onClick={() => gross !== null && onUse(gross)}>
        Usar este valor
      </Button>
    </div>
  )
}
