import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { InvoiceView } from "@tilinta/contract/invoices"
import type { ReminderView } from "@tilinta/contract/reminders"
import { isOpenInvoice } from "@tilinta/contract/vocabulary/invoices"
import {
  noReminderLabels,
  type ReminderStatus,
  reminderChannelLabels,
  reminderStatusLabels,
  reminderStepLabels,
} from "@tilinta/contract/vocabulary/reminders"
import { managers } from "@tilinta/contract/vocabulary/team"
import { useMay } from "#api/session.ts"
import { formatDateTime, formatDay } from "#format/dates.ts"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { DetailList } from "#ui/facts.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { remindersQuery, useRemind } from "./reminders-data.ts"

const tones: Record<ReminderStatus, BadgeTone> = {
  queued: "primary",
  sent: "success",
  bounced: "danger",
  withheld: "secondary",
}

/** The reminders that went, and what comes next; empty while nobody can be reminded and nobody was. */
export function InvoiceReminders({ invoice }: { invoice: InvoiceView }) {
  const { data } = useQuery(remindersQuery(invoice._id))
  const remind = useRemind()
  const maySell = useMay(managers)
  if (data === undefined) return null
  const { reminders, next, noNext } = data
  const isOpen = isOpenInvoice(invoice.status)
  if (!isOpen && reminders.length === 0) return null
  return (
    <DetailList title="Lembretes">
      {reminders.map((reminder) => (
        <SentReminder key={reminder._id} reminder={reminder} />
      ))}
      {isOpen && (
        <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
          <span className="text-t2">
            {next !== null && `Próximo: ${formatDay(next.day)}, ${reminderStepLabels[next.step].toLowerCase()}`}
            {next === null && noNext !== null && noReminderLabels[noNext]}{" "}
            {maySell && noNext === "off" && (
              <Link to="/receivables/$form" params={{ form: "reminders" }} className={inlineLink}>
                Ligar
              </Link>
            )}
          </span>
          {maySell && invoice.customer.email !== "" && noNext !== "unsubscribed" && (
            <Button disabled={remind.isPending} onClick={() => remind.mutate({ id: invoice._id, channel: "email" })}>
              Lembrar agora por e-mail
            </Button>
          )}
        </li>
      )}
    </DetailList>
  )
}

export function SentReminder({ reminder: { step, channel, status, createdAt, sentAt } }: { reminder: ReminderView }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <span>
        {step === null ? "Por você" : reminderStepLabels[step]}
        <span className="text-t3"> · {reminderChannelLabels[channel]}</span>
      </span>
      <span className="flex items-center gap-3">
        <span className="text-meta text-t3 tabular-nums">{formatDateTime(sentAt ?? createdAt)}</span>
        <Badge tone={tones[status]}>{reminderStatusLabels[status]}</Badge>
      </span>
    </li>
  )
}
