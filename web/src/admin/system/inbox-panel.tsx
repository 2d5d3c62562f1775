import type { SystemStatusView } from "@tilinta/contract/api/system-endpoints"
import { countOf, formatCount } from "#format/count.ts"
import { formatDateTime } from "#format/date.ts"
import { Fact, Facts } from "#ui/facts.tsx"
import { failureWords } from "../failure-words.ts"
import { inboxHealth } from "./health.ts"
import { momentText } from "./moment-text.ts"
import { ProblemItem, ProblemList } from "./problem-list.tsx"
import { StatusPanel } from "./status-panel.tsx"
import type { SystemActions } from "./use-system-action.ts"

interface Props {
  status: SystemStatusView
  now: Date
  actions: SystemActions
}

export function InboxPanel({ status, now, actions }: Props) {
  const { inbox } = status
  return (
    <StatusPanel title="Avisos do banco" health={inboxHealth(status, now)}>
      <Facts>
        <Fact term="Esperando">{formatCount(inbox.waiting)}</Fact>
        {inbox.waiting > 0 && <Fact term="O mais antigo">{momentText(inbox.oldestAt, now, "")}</Fact>}
      </Facts>
      <ProblemList label="Avisos que falharam">
        {inbox.failing.map((message) => (
          <ProblemItem
            key={message._id}
            title={`Aviso de ${formatDateTime(message.receivedAt)}`}
            note={`${countOf(message.attempts, "tentativa", "tentativas")} · próxima às ${formatDateTime(message.nextAttemptAt).slice(-5)}`}
            error={message.lastError === null ? null : failureWords(message.lastError)}
            busy={actions.isBusy}
            onRetry={() => actions.start({ kind: "message", id: message._id })}
          />
        ))}
      </ProblemList>
    </StatusPanel>
  )
}
