import { useQuery } from "@tanstack/react-query"
import { feeQuery, feeText } from "./fee-data.ts"

export function FeeCard() {
  const { data: fee } = useQuery(feeQuery)
  if (fee === undefined) return null
  return (
    <div className="rounded-l border border-line px-4 py-3.5 text-t2">
      <p className="text-[12.5px] font-semibold text-t3">Sua taxa</p>
      <p className="text-meta tabular-nums">
        <b className="text-section font-bold tracking-[-0.01em] text-t1">{feeText(fee)}</b> por cobrança paga
      </p>
      <p className="mt-1 text-[12.5px] text-t3">Sem mensalidade. Você só paga quando recebe.</p>
    </div>
  )
}
