import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { ChangeReminderSettingsBody, ReminderSettingsView } from "@tilinta/contract/reminders"
import type { ReminderChannel } from "@tilinta/contract/vocabulary/reminders"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { invoicesKey } from "#seller/seller-data.ts"
import { toast } from "#ui/toast.ts"

export const reminderTexts = {
  failed: "Não foi possível carregar os lembretes",
  saved: "Texto salvo",
  notSaved: "Não foi possível salvar os lembretes",
  sent: "Lembrete a caminho",
  noted: "Lembrete anotado",
  notSent: "Não foi possível lembrar o cliente",
} as const

export const settingsQuery = queryOptions({
  queryKey: ["seller", "reminder-settings"],
  queryFn: async ({ signal }) => (await call(heads.getReminderSettings, { signal })).data.reminders,
})

/** Stale with the invoices: whoever paid is not to be reminded. */
export const todaysQuery = queryOptions({
  queryKey: [...invoicesKey, "reminders-of-today"],
  queryFn: ({ signal }) => call(heads.listRemindersOfToday, { signal }),
})

export function remindersQuery(id: string) {
  return queryOptions({
    queryKey: [...invoicesKey, "one", id, "reminders"],
    queryFn: async ({ signal }) => (await call(heads.listInvoiceReminders, { params: { id }, signal })).data,
  })
}

export function customerRemindersQuery(id: string) {
  return queryOptions({
    queryKey: [...invoicesKey, "of", id, "reminders"],
    queryFn: async ({ signal }) => (await call(heads.listCustomerReminders, { params: { id }, signal })).data.reminders,
  })
}

export function useSettingsChange() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: changeSettings,
    onSuccess: (changed) => queryClient.setQueryData(settingsQuery.queryKey, changed),
    onError: (error) => toast.error(messageOf(error, reminderTexts.notSaved), detailOf(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invoicesKey }),
  })
}

export async function changeSettings(body: ChangeReminderSettingsBody): Promise<ReminderSettingsView> {
  return (await call(heads.changeReminderSettings, { body })).data.reminders
}

interface Reminding {
  id: string
  channel: ReminderChannel
}

export function useRemind() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, channel }: Reminding) => call(heads.remindCustomer, { params: { id }, body: { channel } }),
    onSuccess: (_sent, { channel }) => toast.success(channel === "email" ? reminderTexts.sent : reminderTexts.noted),
    onError: (error) => toast.error(messageOf(error, reminderTexts.notSent), detailOf(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invoicesKey }),
  })
}
