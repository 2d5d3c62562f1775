import * as z from "zod/mini"
import { defineEndpoint } from "./define-endpoint.ts"
import { day, id, isoDateTime, optionalLines, success, successWithResults } from "./fields.ts"
import * as heads from "./heads.ts"
import { invoiceView } from "./invoices.ts"
import {
  noReminders,
  problemOfReminderText,
  REMINDER_TEXT_MAX,
  type ReminderStep,
  reminderChannels,
  reminderStatuses,
  reminderSteps,
} from "./vocabulary/reminders.ts"
import { bookReaders, managers } from "./vocabulary/team.ts"

const tag = "Lembretes"
export const MOST_REMINDERS_OF_CUSTOMER = 20

const refuseUnknownVariables = z.check<string>(({ value, issues }) => {
  const message = problemOfReminderText(value)
  if (message !== null) issues.push({ code: "custom", input: value, message })
})

const stepChanges = z.optional(
  z.object({
    enabled: z.optional(z.boolean("Use true ou false.")),
    /** Empty text and null bring ours back. */
    text: z.nullish(
      optionalLines(REMINDER_TEXT_MAX, `O texto deve ter no máximo ${REMINDER_TEXT_MAX} caracteres`).check(
        refuseUnknownVariables,
      ),
    ),
  }),
)

function ofEachStep<Schema>(schema: Schema) {
  return Object.fromEntries(reminderSteps.map((step) => [step, schema])) as Record<ReminderStep, Schema>
}

/** Missing fields stay. */
export const changeReminderSettingsBody = z.object({
  enabled: z.optional(z.boolean("Use true ou false.")),
  steps: z.optional(z.object(ofEachStep(stepChanges))),
})
export type ChangeReminderSettingsBody = z.infer<typeof changeReminderSettingsBody>

export const reminderStepView = z.object({ enabled: z.boolean(), text: z.string() })

export const reminderSettingsView = z.object({
  /** Nothing goes by itself before the seller says yes. */
  enabled: z.boolean(),
  steps: z.object(ofEachStep(reminderStepView)),
})
export type ReminderSettingsView = z.infer<typeof reminderSettingsView>

export const reminderView = z.object({
  _id: id,
  invoiceId: id,
  customerId: id,
  /** Null of one that the seller sent. */
  step: z.nullable(z.enum(reminderSteps)),
  channel: z.enum(reminderChannels),
  status: z.enum(reminderStatuses),
  /** The invoice's amount of that day. */
  amount: z.number(),
  createdAt: isoDateTime,
  sentAt: z.nullable(isoDateTime),
})
export type ReminderView = z.infer<typeof reminderView>

const settingsReply = { status: 200, schema: success(z.object({ reminders: reminderSettingsView })) } as const

export const getReminderSettingsEndpoint = defineEndpoint("getReminderSettings", heads.getReminderSettings, {
  audience: "seller",
  roles: managers,
  whileFrozen: true,
  scope: "invoices:read",
  tag,
  summary: "A régua de cobrança: quais lembretes vão sozinhos, e com que texto",
  reply: settingsReply,
})

export const changeReminderSettingsEndpoint = defineEndpoint("changeReminderSettings", heads.changeReminderSettings, {
  audience: "seller",
  roles: managers,
  scope: "invoices:write",
  tag,
  summary:
    "Altera a régua de cobrança. Os textos podem ter {nome}, {valor}, {vencimento}, {loja} e {link}; um texto vazio volta ao nosso",
  body: changeReminderSettingsBody,
  reply: settingsReply,
})

export const remindersOfToday = z.object({
  invoice: invoiceView,
  step: z.enum(reminderSteps),
  /** The text to send, with today's amount. */
  text: z.string(),
  /** Opens WhatsApp with the text; without a phone, one chooses whom to send it to. */
  whatsappLink: z.string(),
  /** Today's reminder of it; null when there was none. */
  reminder: z.nullable(reminderView),
})
export type ReminderOfToday = z.infer<typeof remindersOfToday>

export const listRemindersOfTodayEndpoint = defineEndpoint("listRemindersOfToday", heads.listRemindersOfToday, {
  audience: "seller",
  roles: managers,
  whileFrozen: true,
  scope: "invoices:read",
  tag,
  summary:
    "Quem lembrar hoje, com o texto pronto para o WhatsApp: até 100 cobranças, as ainda não lembradas e as que vencem antes primeiro; `results` conta todas",
  reply: { status: 200, schema: successWithResults({ reminders: z.array(remindersOfToday) }) },
})

const params = z.object({ id: z.string() })

export const listCustomerRemindersEndpoint = defineEndpoint("listCustomerReminders", heads.listCustomerReminders, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "customers:read",
  tag,
  summary: `Os últimos ${MOST_REMINDERS_OF_CUSTOMER} lembretes de um cliente, os mais novos primeiro`,
  params,
  reply: { status: 200, schema: success(z.object({ reminders: z.array(reminderView) })) },
})

export const listInvoiceRemindersEndpoint = defineEndpoint("listInvoiceReminders", heads.listInvoiceReminders, {
  audience: "seller",
  roles: bookReaders,
  whileFrozen: true,
  scope: "invoices:read",
  tag,
  summary: "Os lembretes de uma cobrança, os mais novos primeiro, e o próximo que vai sozinho",
  params,
  reply: {
    status: 200,
    schema: success(
      z.object({
        reminders: z.array(reminderView),
        next: z.nullable(z.object({ step: z.enum(reminderSteps), day })),
        /** Why there is no next one. */
        noNext: z.nullable(z.enum(noReminders)),
      }),
    ),
  },
})

export const remindCustomerEndpoint = defineEndpoint("remindCustomer", heads.remindCustomer, {
  audience: "seller",
  roles: managers,
  scope: "invoices:write",
  tag,
  summary:
    "Lembra o cliente de uma cobrança em aberto: `email` envia agora, no máximo um por cliente e dia; `whatsapp` anota que você mesmo enviou, e repetir no mesmo dia não anota outro",
  params,
  body: z.object({ channel: z.enum(reminderChannels, "Use email ou whatsapp.") }),
  reply: {
    status: 201,
    schema: success(z.object({ reminder: reminderView, text: z.string(), whatsappLink: z.string() })),
  },
})
