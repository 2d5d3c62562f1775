import { dueTermsOf } from "@tilinta/contract/vocabulary/invoices"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { readEvents } from "#integrations/event-feed/feed"
import { layOutMail } from "#mail/mailer"
import { writeLetter } from "#platform/mails/write-letter"
import { cancelInvoice, updateInvoice } from "#selling/closings/invoices"
import { updateCustomer } from "#selling/customers/manage"
import { changeOwnReminders } from "#selling/customers/own-reminders"
import { customerFieldsFrom } from "#selling/customers/rules"
import type { Invoice } from "#selling/invoices/rules"
import { createSubscription } from "#selling/subscriptions/manage"
import { numberAllEvents } from "../../../test-support/number-all-events.ts"
import { codesOf, times } from "../../../test-support/races.ts"
import { openReminderSandbox } from "../../../test-support/reminder-sandbox.ts"
import { createSeller } from "../../../test-support/sandbox.ts"
import { readReminderSettings } from "./reads.ts"
import { nextReminder } from "./rules.ts"
import { remindByHand, sendReminders } from "./send.ts"
import { changeReminderSettings } from "./settings.ts"

const world = await openReminderSandbox()
const {
  sandbox,
  db,
  at,
  run,
  run9,
  deliver,
  pay,
  enter,
  charge,
  turnOn,
  stepsOf,
  seller,
  own,
  usual,
  withoutBank,
  now,
  sellerId,
} = world
const { payersUrl } = sandbox

beforeEach(world.begin)
afterAll(world.close)

describe("the steps", () => {
  test("go by themselves on their days, with the amount of the day, once each", async () => {
    await turnOn()
    const invoice = await charge(await enter())
    const days = [
      ["2026-12-01", "A sua", "R$ 100,00"],
      ["2026-12-07", "A sua", "R$ 100,00"],
      ["2026-12-10", "A sua", "R$ 100,00"],
      ["2026-12-11", "A sua", "R$ 102,03"],
      ["2026-12-17", "A sua", "R$ 102,23"],
      ["2027-01-10", "Amanhã", "R$ 103,03"],
    ] as const
    for (const [day, , amount] of days) {
      await run9(day)
      await run()
      const [mail, ...others] = await deliver()
      expect(others).toEqual([])
      expect(mail?.text.replaceAll("\u00a0", " ")).toContain(amount)
      expect(mail?.text).toContain(`${payersUrl}/checkout/${invoice.uniqueLink}`)
    }
    for (const day of ["2026-12-08", "2026-12-12", "2027-01-11", "2027-01-12"]) await run9(day)
    expect(await stepsOf(invoice)).toEqual([
      "created sent",
      "before_3 sent",
      "due sent",
      "after_1 sent",
      "after_7 sent",
      "before_last_day sent",
    ])
    await numberAllEvents(db)
    const { events } = await readEvents(db, { sellerId: sellerId(), after: 0, limit: 100, types: ["reminder.sent"] })
    expect(events.map((event) => "reminder" in event && event.reminder.step)).toHaveLength(6)
  })

  test("say nothing before the seller said yes, nor of what was made before", async () => {
    const invoice = await charge(await enter())
    await run()
    at("2026-12-01T12:00:01")
    await turnOn()
    await run()
    expect(await stepsOf(invoice)).toEqual([])
    await changeReminderSettings(sandbox, { seller: seller(), changes: { enabled: false } })
    await run9("2026-12-07")
    expect(await stepsOf(invoice)).toEqual([])
  })

  test("have a switch and a text of their own each, and an empty text brings ours back", async () => {
    const text = "Oi, {nome}: {valor} até {vencimento}, {loja}."
    await turnOn({ created: { enabled: false }, before_3: { text } })
    const invoice = await charge(await enter())
    await run()
    expect(await stepsOf(invoice)).toEqual([])
    await run9("2026-12-07")
    expect((await deliver())[0]?.text.replaceAll("\u00a0", " ")).toContain("Oi, Bruno Lima: R$ 100,00 até 10/12/2026,")
    const { steps } = await turnOn({ before_3: { text: "" } })
    expect(steps.before_3.text).toContain("Passando para lembrar")
    expect(steps.created.enabled).toBe(false)
  })

  test("of a day on which no server ran are skipped", async () => {
    await turnOn({ created: { enabled: false } })
    const invoice = await charge(await enter())
    await run9("2026-12-12")
    expect(await stepsOf(invoice)).toEqual([])
    await run9("2026-12-17")
    expect(await stepsOf(invoice)).toEqual(["after_7 queued"])
  })

  test("go from 08:00 to 20:00 of São Paulo, on São Paulo's days", async () => {
    await turnOn({ created: { enabled: false } })
    const invoice = await charge(await enter())
    for (const moment of ["2026-12-06T23:30:00", "2026-12-07T07:59:59", "2026-12-07T20:00:00", "2026-12-07T23:30:00"]) {
      at(moment)
      await run()
    }
    expect(await stepsOf(invoice)).toEqual([])
    at("2026-12-10T19:59:59")
    await run()
    expect(await stepsOf(invoice)).toEqual(["due queued"])
  })

  test("follow the adjusted due day, and a due day that was moved", async () => {
    await turnOn({ created: { enabled: false } })
    const saturday = await charge(await enter(), { dueDate: "2026-12-12" })
    const moved = await charge(await enter())
    await run9("2026-12-10")
    at("2026-12-10T10:00:00")
    await updateInvoice(sandbox, own(moved), { terms: { dueDate: "2026-12-14" }, order: {} })
    await run9("2026-12-12")
    await run9("2026-12-14")
    expect(await stepsOf(saturday)).toEqual(["due queued"])
    expect(await stepsOf(moved)).toEqual(
      ["due withheld", "due queued"].slice(0, 0).concat(["due queued", "due queued"]),
    )
  })

  test("announce nothing of which the customer was reminded already", async () => {
    await turnOn()
    const [due, soon] = [
      await charge(await enter(), { dueDate: "2026-12-01" }),
      await charge(await enter(), { dueDate: "2026-12-04" }),
    ]
    await run()
    await run9("2026-12-02")
    expect(await stepsOf(due)).toEqual(["due queued", "after_1 queued"])
    expect(await stepsOf(soon)).toEqual(["before_3 queued"])
  })

  test("announce an invoice of the evening in the morning", async () => {
    await turnOn()
    at("2026-12-01T22:00:00")
    const invoice = await charge(await enter())
    await run()
    expect(await stepsOf(invoice)).toEqual([])
    await run9("2026-12-02")
    expect(await stepsOf(invoice)).toEqual(["created queued"])
  })
})

describe("a customer", () => {
  test("gets one mail a day, about all that is due", async () => {
    await turnOn()
    const customer = await enter()
    const [one, two] = [
      await charge(customer),
      await charge(customer, { amount: 50, dueDate: "2026-12-15" }, "Uniforme"),
    ]
    await run()
    const [mail, ...others] = await deliver()
    expect(others).toEqual([])
    expect(mail?.text.replaceAll("\u00a0", " ")).toContain(
      `R$ 50,00, vencimento em 15/12/2026: ${payersUrl}/checkout/${two.uniqueLink}`,
    )
    expect(await stepsOf(one)).toEqual(["created sent"])
    expect(await stepsOf(two)).toEqual(["created sent"])
    const third = await charge(customer)
    await run()
    expect(await stepsOf(third)).toEqual([])
    await run9("2026-12-02")
    expect(await stepsOf(third)).toEqual(["created queued"])
  })

  test("who paid, whose invoice was cancelled, or who has no address gets none", async () => {
    await turnOn({ created: { enabled: false } })
    const [paid, cancelled] = [await charge(await enter()), await charge(await enter())]
    const without = await charge(await enter({ email: "" }))
    await pay(paid)
    await cancelInvoice(sandbox, own(cancelled))
    await run9("2026-12-07")
    for (const invoice of [paid, cancelled, without]) expect(await stepsOf(invoice)).toEqual([])
    await expect(remindByHand(sandbox, { ...own(without), channel: "email" })).rejects.toMatchObject({
      code: "customer_without_email",
    })
  })

  test("who refused gets none until they want them again", async () => {
    await turnOn()
    const invoice = await charge(await enter())
    await run()
    const [mail] = await deliver()
    const mailToken = mail?.unsubscribeUrl?.split("/").at(-1) ?? ""
    expect(mail?.unsubscribeUrl).toBe(`${payersUrl}/payment/reminders/${mailToken}`)
    const choose = (wants: boolean) => changeOwnReminders(sandbox, { mailToken, wants, address: "127.0.0.1" })
    expect(codesOf(await times(3, () => choose(false)))).toEqual({ ok: 3 })
    await run9("2026-12-07")
    expect(await stepsOf(invoice)).toEqual(["created sent"])
    await expect(remindByHand(sandbox, { ...own(invoice), channel: "email" })).rejects.toMatchObject({
      code: "reminders_unwanted",
    })
    await choose(true)
    await run9("2026-12-10")
    expect(await stepsOf(invoice)).toEqual(["created sent", "due queued"])
    const records = db.selectFrom("audit_records").select("action").where("entity_id", "=", invoice.customer.id)
    const actions = (await records.execute()).map(({ action }) => action)
    expect(actions).toEqual(["customer.created", "customer.reminders_ended", "customer.reminders_resumed"])
  })
})

describe("what waits", () => {
  test("is one mail, when two servers find it at once", async () => {
    await turnOn()
    const customer = await enter()
    const invoices = [await charge(customer), await charge(customer)]
    expect(codesOf(await times(4, run))).toEqual({ ok: 4 })
    for (const invoice of invoices) expect(await stepsOf(invoice)).toEqual(["created queued"])
    expect(await deliver()).toHaveLength(1)
  })

  test("is neither lost nor sent twice by a server that dies", async () => {
    await turnOn()
    const invoice = await charge(await enter())
    const dies = {
      ...{ ...sandbox, psp: withoutBank },
      get payersUrl(): string {
        throw new Error("killed")
      },
    }
    await expect(sendReminders(dies)).rejects.toThrow("killed")
    expect(await stepsOf(invoice)).toEqual([])
    expect(await db.selectFrom("mails").select("id").execute()).toEqual([])
    await run()
    await run()
    expect(await deliver()).toHaveLength(1)
    expect(await deliver()).toEqual([])
  })

  test.each([
    ["paid", pay],
    ["cancelled", (invoice: Invoice) => cancelInvoice(sandbox, own(invoice))],
    ["changed", (invoice: Invoice) => updateInvoice(sandbox, own(invoice), { terms: { amount: 80 }, order: {} })],
    [
      "without an address",
      (invoice: Invoice) =>
        updateCustomer(sandbox, { seller: seller(), id: invoice.customer.id, changes: { email: "" } }),
    ],
    ["of the evening", async () => at("2026-12-01T20:00:00")],
    ["of yesterday", async () => at("2026-12-02T09:00:00")],
  ])("is taken back once it is %s", async (_what, happens) => {
    await turnOn()
    const invoice = await charge(await enter())
    await run()
    await happens(invoice)
    expect(await deliver()).toEqual([])
    expect(await stepsOf(invoice)).toEqual(["created withheld"])
  })

  test("and comes back says so, and may be sent again by hand", async () => {
    await turnOn()
    const customer = await enter({ email: `ninguem@exemplo.com.br` })
    const invoice = await charge(customer)
    await run()
    expect(await deliver()).toEqual([])
    expect(await stepsOf(invoice)).toEqual(["created bounced"])
    await updateCustomer(sandbox, {
      seller: seller(),
      id: customer,
      changes: { email: `certo@exemplo.com.br` },
    })
    await remindByHand(sandbox, { ...own(invoice), channel: "email" })
    expect(await deliver()).toHaveLength(1)
    expect(await stepsOf(invoice)).toEqual(["created bounced", "null sent"])
  })
})

describe("by hand", () => {
  test("a mail goes at any hour, once a day and customer", async () => {
    const invoice = await charge(await enter())
    at("2026-12-01T22:00:00")
    const results = await times(4, () => remindByHand(sandbox, { ...own(invoice), channel: "email" }))
    expect(codesOf(results)).toEqual({ ok: 1, reminder_sent_today: 3 })
    expect(await deliver()).toHaveLength(1)
    at("2026-12-02T00:00:01")
    await remindByHand(sandbox, { ...own(invoice), channel: "email" })
  })

  test("WhatsApp is noted once a day, and spares the customer the mail of that day", async () => {
    await turnOn()
    const invoice = await charge(await enter({ phone: "11987654321" }))
    const results = await times(3, () => remindByHand(sandbox, { ...own(invoice), channel: "whatsapp" }))
    expect(codesOf(results)).toEqual({ ok: 3 })
    const { text, whatsappLink } = await remindByHand(sandbox, { ...own(invoice), channel: "whatsapp" })
    expect(text).toContain(`Olá, Bruno Lima! `)
    expect(text).toContain(`Pague com Pix em ${payersUrl}/checkout/${invoice.uniqueLink}`)
    expect(whatsappLink).toBe(`https://wa.me/5511987654321?text=${encodeURIComponent(text)}`)
    await run()
    expect(await stepsOf(invoice)).toEqual(["null sent"])
  })

  test("nobody is reminded of what is not open, nor of another seller's", async () => {
    const invoice = await charge(await enter())
    await cancelInvoice(sandbox, own(invoice))
    for (const channel of ["email", "whatsapp"] as const) {
      await expect(remindByHand(sandbox, { ...own(invoice), channel })).rejects.toMatchObject({
        code: "invoice_not_open",
      })
    }
    const stranger = { id: await createSeller(sandbox), address: "127.0.0.1" }
    await expect(remindByHand(sandbox, { id: invoice.id, seller: stranger, channel: "email" })).rejects.toMatchObject({
      code: "invoice_not_found",
    })
  })
})

test("what sellers and customers write is text, in the mail's page and in its head", async () => {
  await turnOn({ created: { text: "<b>Oi</b> {nome}\nBcc: outro@exemplo.com.br" } })
  await charge(await enter({ name: "<img src=x> {link} $& Silva" }), {}, "<script>1</script>")
  await run()
  const [mail] = await deliver()
  expect(mail?.html).toContain("&lt;b&gt;Oi&lt;/b&gt; &lt;img src=x&gt; {link} $&amp; Silva")
  expect(mail?.html).not.toMatch(/<script|<img|<b>/)
  expect(mail?.subject).not.toMatch(/[\r\n<]/)
})

test("a cycle's reminder leads to the customer's own page of the subscription, and any other's to none", async () => {
  await turnOn()
  const customer = customerFieldsFrom({ name: "Bruno Lima", email: "assina@exemplo.com.br" })
  const subscription = await createSubscription(sandbox, {
    ...{ seller: seller(), idempotencyKey: null, customer, title: "Academia", period: "monthly" as const },
    ...{ terms: dueTermsOf(usual), endsOn: null, cycles: null, leadDays: 10 },
  })
  await charge(await enter({ email: "avulso@exemplo.com.br" }))
  await run()
  const mails = (await deliver()).filter(({ subject }) => subject.startsWith("Cobrança de"))
  const own = `${payersUrl}/assinatura/${subscription.uniqueLink}`
  expect(mails.map(({ to, text }) => [to, text.includes(own), text.includes("/assinatura/")]).toSorted()).toEqual([
    ["assina@exemplo.com.br", true, true],
    ["avulso@exemplo.com.br", false, false],
  ])
})

test("a shop's name can't break out of the sender", () => {
  const content = {
    ...{ kind: "reminder", customerName: "Bruno", step: "due", text: "Oi", unsubscribeUrl: "https://x.example/u" },
    shop: { name: "Loja\r\nBcc: a@b.example", email: "" },
    invoices: [{ description: "", amountCents: 100, dueDay: "2026-12-10", url: "https://x.example" }],
  } as never
  const laidOut = layOutMail(writeLetter(content, "Ana", "https://p.example"), {
    name: "P",
    supportEmail: "s@p.example",
  })
  expect(laidOut.subject).not.toMatch(/[\r\n]/)
})

test("the next one is named, or why there is none", async () => {
  const invoice = await charge(await enter())
  const customer = { email: "a@b.example", remindersEndedAt: null }
  const nextOf = async (more: object = {}) => {
    const settings = await readReminderSettings(db, sellerId())
    const times = { now: now(), due: now() }
    return nextReminder(invoice, { settings, customer, times, isRemindedToday: false, isReminded: true, ...more })
  }
  expect(await nextOf()).toEqual({ next: null, noNext: "off" })
  await turnOn({ before_3: { enabled: false } })
  expect(await nextOf()).toEqual({ next: { step: "due", day: "2026-12-10" }, noNext: null })
  expect(await nextOf({ customer: { ...customer, email: null } })).toMatchObject({ noNext: "no_email" })
  expect(await nextOf({ customer: { ...customer, remindersEndedAt: now() } })).toMatchObject({ noNext: "unsubscribed" })
  at("2026-12-10T20:00:00")
  expect(await nextOf()).toMatchObject({ next: { step: "after_1" } })
})

test("the next one of a new invoice is its announcement, once", async () => {
  await turnOn()
  const invoice = await charge(await enter())
  const customer = { email: "a@b.example", remindersEndedAt: null }
  const nextOf = async (more: object = {}) => {
    const settings = await readReminderSettings(db, sellerId())
    const times = { now: now(), due: now() }
    return nextReminder(invoice, { settings, customer, times, isRemindedToday: false, isReminded: false, ...more }).next
  }
  expect(await nextOf()).toEqual({ step: "created", day: "2026-12-01" })
  expect(await nextOf({ isRemindedToday: true })).toEqual({ step: "created", day: "2026-12-02" })
  expect(await nextOf({ isReminded: true })).toEqual({ step: "before_3", day: "2026-12-07" })
  at("2026-12-02T20:00:00")
  expect(await nextOf()).toEqual({ step: "before_3", day: "2026-12-07" })
})
