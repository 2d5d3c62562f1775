import {
  changeReminderSettingsEndpoint,
  getReminderSettingsEndpoint,
  listCustomerRemindersEndpoint,
  listInvoiceRemindersEndpoint,
  listRemindersOfTodayEndpoint,
  MOST_REMINDERS_OF_CUSTOMER,
  type ReminderOfToday,
  remindCustomerEndpoint,
} from "@tilinta/contract/reminders"
import type { FastifyInstance } from "fastify"
import { serveEndpoint } from "#http/serve-endpoint"
import { dueTime, saoPauloDay, timesOf } from "#kit/clock"
import { actorOf, sellerOf } from "#people/sessions/caller"
import { readReceiver } from "#people/shops/reads"
import { findMailedCustomers, readCustomer } from "#selling/customers/reads"
import { getOwnInvoice } from "#selling/invoices/create"
import { toInvoiceView } from "#selling/invoices/views"
import type { HttpDeps } from "#start/deps"
import {
  listDueToday,
  listRemindersOf,
  listRemindersOfCustomer,
  listRemindersOfDay,
  readReminderSettings,
} from "./reads.ts"
import {
  enabledSteps,
  forWhatsapp,
  isTakenBack,
  nextReminder,
  type Reminder,
  stepByHand,
  textOf,
  whatsappLinkOf,
} from "./rules.ts"
import { linkOf, remindByHand } from "./send.ts"
import { changeReminderSettings } from "./settings.ts"
import { toReminderView, toSettingsView } from "./views.ts"

const MOST_OF_TODAY = 100

export function reminderRoutes(
  app: FastifyInstance,
  deps: Pick<HttpDeps, "db" | "clock" | "protection" | "payersUrl">,
): void {
  const { db, clock, payersUrl } = deps

  serveEndpoint(app, getReminderSettingsEndpoint, async ({ request }) => {
    return { reminders: toSettingsView(await readReminderSettings(db, sellerOf(request).id)) }
  })

  serveEndpoint(app, changeReminderSettingsEndpoint, async ({ body, request }) => {
    const settings = await changeReminderSettings(deps, { seller: actorOf(request), changes: body })
    return { reminders: toSettingsView(settings) }
  })

  serveEndpoint(app, listRemindersOfTodayEndpoint, async ({ request }) => {
    const sellerId = sellerOf(request).id
    const due = dueTime(clock)
    const today = saoPauloDay(due)
    const settings = await readReminderSettings(db, sellerId)
    const steps = enabledSteps(settings)
    const { invoices, results } = await listDueToday(db, { sellerId, steps, due, limit: MOST_OF_TODAY })
    const customerIds = invoices.map(({ customer }) => customer.id)
    const [ofToday, receiver] = await Promise.all([
      listRemindersOfDay(db, customerIds, today),
      readReceiver(db, { sellerId, paidAt: null }),
    ])
    const reminders = invoices.map((invoice): ReminderOfToday => {
      const step = stepByHand(invoice, today)
      const filling = { shop: receiver.name, link: linkOf(invoice, payersUrl), today }
      const text = textOf(invoice, forWhatsapp(settings.steps[step].text), filling)
      const sent = ofToday.find(({ invoiceId }) => invoiceId === invoice.id)
      return {
        invoice: toInvoiceView(invoice, today, payersUrl),
        step,
        text,
        whatsappLink: whatsappLinkOf(invoice, text),
        reminder: sent === undefined ? null : toReminderView(sent),
      }
    })
    return { results, data: { reminders } }
  })

  serveEndpoint(app, listCustomerRemindersEndpoint, async ({ params, request }) => {
    const { id } = await readCustomer(db, { sellerId: sellerOf(request).id, id: params.id })
    const reminders = await listRemindersOfCustomer(db, id, MOST_REMINDERS_OF_CUSTOMER)
    return { reminders: reminders.map(toReminderView) }
  })

  serveEndpoint(app, listInvoiceRemindersEndpoint, async ({ params, request }) => {
    const sellerId = sellerOf(request).id
    const times = timesOf(clock)
    const invoice = await getOwnInvoice(db, { id: params.id, sellerId })
    const [reminders, settings, customers, ofToday] = await Promise.all([
      listRemindersOf(db, [invoice.id]),
      readReminderSettings(db, sellerId),
      findMailedCustomers(db, [invoice.customer.id]),
      listRemindersOfDay(db, [invoice.customer.id], saoPauloDay(times.due)),
    ])
    const customer = customers.get(invoice.customer.id) ?? { email: null, remindersEndedAt: null }
    const isAny = (all: readonly Reminder[]) => all.some((one) => !isTakenBack(one))
    const circumstances = { settings, customer, times, isRemindedToday: isAny(ofToday), isReminded: isAny(reminders) }
    return { reminders: reminders.map(toReminderView), ...nextReminder(invoice, circumstances) }
  })

  serveEndpoint(app, remindCustomerEndpoint, async ({ params, body, request }) => {
    const byHand = { id: params.id, seller: actorOf(request), channel: body.channel }
    const { reminder, text, whatsappLink } = await remindByHand(deps, byHand)
    return { reminder: toReminderView(reminder), text, whatsappLink }
  })
}
