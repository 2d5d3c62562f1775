import type { ReminderSettingsView, ReminderView } from "@tilinta/contract/reminders"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { Reminder, ReminderSettings } from "./rules.ts"

export function toReminderView(reminder: Reminder): ReminderView {
  return {
    _id: reminder.id,
    invoiceId: reminder.invoiceId,
    customerId: reminder.customerId,
    step: reminder.step,
    channel: reminder.channel,
    status: reminder.status,
    amount: reaisFromCents(reminder.amountCents),
    createdAt: reminder.createdAt.toISOString(),
    sentAt: reminder.sentAt?.toISOString() ?? null,
  }
}

export function toSettingsView({ enabled, steps }: ReminderSettings): ReminderSettingsView {
  return { enabled, steps }
}
