import type { SystemStatusView } from "@tilinta/contract/api/system-endpoints"
import { Fact, Facts } from "#ui/facts.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { guardHealth } from "./health.ts"
import { StatusPanel } from "./status-panel.tsx"

export function GuardPanel({ status }: { status: SystemStatusView }) {
  const { protection, approvers, secondApprovalAbove } = status.guard
  return (
    <StatusPanel title="Duas pessoas" health={guardHealth(status)}>
      <Facts>
        <Fact term="Proteção">{protection === "strict" ? "Estrita" : "Relaxada"}</Fact>
        <Fact term="Administradores que podem aprovar">{approvers}</Fact>
        {protection === "strict" && (
          <Fact term="Dois administradores acima de">
            {secondApprovalAbove === null ? "desligado" : <Reais>{secondApprovalAbove}</Reais>}
          </Fact>
        )}
      </Facts>
    </StatusPanel>
  )
}
