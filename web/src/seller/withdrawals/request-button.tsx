import { useQuery } from "@tanstack/react-query"
import { Button } from "#ui/button.tsx"
import { withdrawalRulesQuery } from "./withdrawals-data.ts"

interface Props {
  /** Undefined while loading. */
  available: number | undefined
  onRequest: () => void
}

/** A disabled button says why, next to it. */
export function RequestButton({ available, onRequest }: Props) {
  const rules = useQuery(withdrawalRulesQuery)
  const reason = reasonNotTo(available, rules.data?.enabled ?? true)
  return (
    <div className="grid flex-none justify-items-end gap-1.5 max-md:justify-items-stretch">
      <Button
        look="primary"
        icon="withdraw"
        onClick={onRequest}
        disabled={available === undefined || reason !== null}
        aria-describedby={reason === null ? undefined : "withdrawal-reason"}
      >
        Solicitar Saque
      </Button>
      {reason !== null && (
        <p id="withdrawal-reason" className="text-meta text-t3 max-md:text-center">
          {reason}
        </p>
      )}
    </div>
  )
}

function reasonNotTo(available: number | undefined, enabled: boolean): string | null {
  if (!enabled) return "Os saques estão suspensos no momento."
  return available !== undefined && available <= 0 ? "Você não tem saldo disponível para sacar." : null
}
