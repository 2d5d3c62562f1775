import type { SystemStatusView } from "@tilinta/contract/api/system-endpoints"
import { mailKindLabels } from "@tilinta/contract/vocabulary/mail-kinds"
import { countOf, formatCount } from "#format/count.ts"
import { formatDateTime } from "#format/date.ts"
import { Fact, Facts } from "#ui/facts.tsx"
import { failureWords } from "../failure-words.ts"
import { mailsHealth } from "./health.ts"
import { momentText } from "./moment-text.ts"
import { ProblemItem, ProblemList } from "./problem-list.tsx"
import { StatusPanel } from "./status-panel.tsx"
import type { SystemActions } from "./use-system-action.ts"

interface Props {
  status: SystemStatusView
  now: Date
  actions: SystemActions
}

type Mail = SystemStatusView["mails"]["problems"][number]

export function MailsPanel({ status, now, actions }: Props) {
  const { mails } = status
  return (
    <StatusPanel title="E-mails" health={mailsHealth(status, now)}>
      <Facts>
        <Fact term="Esperando">{formatCount(mails.waiting)}</Fact>
        {mails.waiting > 0 && <Fact term="O mais antigo">{momentText(mails.oldestAt, now, "")}</Fact>}
        <Fact term="Não entregues em 7 dias">{formatCount(mails.givenUp)}</Fact>
      </Facts>
      <ProblemList label="E-mails que falharam">
        {mails.problems.map((mail) => (
          <ProblemItem
            key={mail._id}
            title={`${mail.kind === null ? "E-mail" : mailKindLabels[mail.kind]} para ${mail.to}`}
            note={noteOf(mail)}
            error={mail.lastError === null ? null : failureWords(mail.lastError)}
            busy={actions.isBusy}
            onRetry={mail.repeatable ? () => actions.start({ kind: "mail", id: mail._id }) : undefined}
          />
        ))}
      </ProblemList>
    </StatusPanel>
  )
}

function noteOf({ createdAt, attempts, givenUpAt, repeatable }: Mail): string {
  const parts = [formatDateTime(createdAt), countOf(attempts, "tentativa", "tentativas")]
  if (givenUpAt !== null) parts.push(repeatable ? "desistimos" : "o link não é guardado: peça um novo")
  return parts.join(" · ")
}
