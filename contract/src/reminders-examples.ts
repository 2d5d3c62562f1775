import { defineExample } from "./define-endpoint.ts"
import { exampleInvoice } from "./invoices-examples.ts"
import {
  changeReminderSettingsEndpoint,
  getReminderSettingsEndpoint,
  listCustomerRemindersEndpoint,
  listInvoiceRemindersEndpoint,
  listRemindersOfTodayEndpoint,
  type ReminderSettingsView,
  type ReminderView,
  remindCustomerEndpoint,
} from "./reminders.ts"
import { defaultReminderTexts, reminderSteps } from "./vocabulary/reminders.ts"

const exampleReminder: ReminderView = {
  _id: "0193a4c2-7c1a-7d3e-9b52-4f0d6c8e1a27",
  invoiceId: exampleInvoice._id,
  customerId: exampleInvoice.customer._id,
  step: null,
  channel: "whatsapp",
  status: "sent",
  amount: 95,
  createdAt: "2026-11-21T12:00:00.000Z",
  sentAt: "2026-11-21T12:00:00.000Z",
}

const settings: ReminderSettingsView = {
  enabled: false,
  steps: Object.fromEntries(
    reminderSteps.map((step) => [step, { enabled: true, text: defaultReminderTexts[step] }]),
  ) as ReminderSettingsView["steps"],
}
const ownText = "Oi, {nome}! A mensalidade de {valor} vence hoje: {link}"
const found = { id: exampleInvoice._id }
const text =
  "Olá, Bruno Lima! Passando para lembrar: a sua cobrança de Ana Souza, de R$ 95,00, vence em 10/12/2030. Pague com Pix em http://localhost:3000/checkout/BFwORhkwyw9Njpar"
const whatsappLink = `https://wa.me/5511987654321?text=${encodeURIComponent(text)}`

export const remindersExamples = [
  defineExample(getReminderSettingsEndpoint, { data: { reminders: settings }, failures: [] }),
  defineExample(changeReminderSettingsEndpoint, {
    body: { enabled: true, steps: { due: { text: ownText }, after_7: { enabled: false } } },
    data: {
      reminders: {
        enabled: true,
        steps: {
          ...settings.steps,
          due: { enabled: true, text: ownText },
          after_7: { ...settings.steps.after_7, enabled: false },
        },
      },
    },
    failures: [],
  }),
  defineExample(listRemindersOfTodayEndpoint, {
    reply: {
      status: "success",
      results: 1,
      data: {
        reminders: [{ invoice: exampleInvoice, step: "before_3", text, whatsappLink, reminder: exampleReminder }],
      },
    },
    failures: [],
  }),
  defineExample(listCustomerRemindersEndpoint, {
    params: { id: exampleReminder.customerId },
    data: { reminders: [exampleReminder] },
    failures: ["customer_not_found"],
  }),
  defineExample(listInvoiceRemindersEndpoint, {
    params: found,
    data: { reminders: [exampleReminder], next: { step: "before_3", day: "2030-12-07" }, noNext: null },
    failures: ["invoice_not_found"],
  }),
  defineExample(remindCustomerEndpoint, {
    params: found,
    body: { channel: "whatsapp" },
    data: { reminder: exampleReminder, text, whatsappLink },
    failures: [
      "customer_without_email",
      "debit_under_way",
      "invoice_not_found",
      "invoice_not_open",
      "reminder_sent_today",
      "reminders_unwanted",
    ],
  }),
]
