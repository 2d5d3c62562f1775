import { Link } from "@tanstack/react-router"
import type { SystemStatusView } from "@tilinta/contract/api/system-endpoints"
import { formatCount } from "#format/count.ts"
import { Fact, Facts } from "#ui/facts.tsx"
import { waitingTime } from "../withdrawals/waiting-time.ts"
import { underWayHealth } from "./health.ts"
import { StatusPanel } from "./status-panel.tsx"

export function UnderWayPanel({ status, now }: { status: SystemStatusView; now: Date }) {
  const shown = ({ count, oldestAt }: SystemStatusView["payouts"]) =>
    oldestAt === null ? formatCount(count) : `${formatCount(count)} · o mais antigo ${waitingTime(oldestAt, now)}`
  return (
    <StatusPanel title="A caminho no banco" health={underWayHealth(status, now)}>
      <Facts>
        <Fact term="Saques enviados">{shown(status.payouts)}</Fact>
        <Fact term="Estornos pedidos">{shown(status.refunds)}</Fact>
        <Fact term="Cobranças a remover">{shown(status.removals)}</Fact>
      </Facts>
      <Link
        to="/admin/withdrawals"
        search={{ status: "processing" }}
        className="-mb-2 inline-flex min-h-11 items-center self-start text-label font-semibold text-t2 hover:text-mint"
      >
        Ver saques em processamento
      </Link>
    </StatusPanel>
  )
}
