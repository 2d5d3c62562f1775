import { reaisText } from "@tilinta/contract/vocabulary/money"
import type { ReminderStep } from "@tilinta/contract/vocabulary/reminders"
import { dayText } from "#kit/clock"
import type { Letter } from "#mail/mailer"
import type { MailContent } from "./mail-content.ts"

type Content = Extract<MailContent, { kind: "reminder" }>
type Reminded = Content["invoices"][number]

const subjects: Record<ReminderStep, (invoice: Reminded) => string> = {
  created: ({ amountCents, dueDay }) => `Cobrança de ${reaisText(amountCents)} com vencimento em ${dayText(dueDay)}`,
  before_3: ({ amountCents, dueDay }) => `A sua cobrança de ${reaisText(amountCents)} vence em ${dayText(dueDay)}`,
  due: ({ amountCents }) => `A sua cobrança de ${reaisText(amountCents)} vence hoje`,
  after_1: ({ dueDay }) => `A sua cobrança venceu em ${dayText(dueDay)}`,
  after_7: ({ dueDay }) => `A sua cobrança venceu em ${dayText(dueDay)}`,
  before_last_day: () => "Amanhã é o último dia para pagar a sua cobrança",
}

/** The subject is ours: what sellers and customers write stands in the text alone. */
export function writeReminderLetter(content: Content): Letter {
  const { customerName, shop, step, text, invoices, subscriptionUrl, unsubscribeUrl } = content
  const [first, ...others] = invoices
  if (first === undefined) throw new Error("a reminder is of an invoice")
  return {
    shop,
    subject: subjects[step](first),
    name: customerName,
    paragraphs: [
      ...text.split("\n").filter((line) => line.trim() !== ""),
      ...(others.length === 0 ? [] : ["Você também tem em aberto:"]),
      ...others.map((each) => `${reaisText(each.amountCents)}, vencimento em ${dayText(each.dueDay)}: ${each.url}`),
      ...(subscriptionUrl === undefined
        ? []
        : [`A sua assinatura, com o que já foi pago e como cancelar: ${subscriptionUrl}`]),
    ],
    facts: [
      { label: "Valor de hoje", value: reaisText(first.amountCents) },
      { label: "Vencimento", value: dayText(first.dueDay) },
      { label: "Quem cobra", value: shop.name },
      ...(first.description === "" ? [] : [{ label: "Descrição", value: first.description }]),
    ],
    action: { label: "Pagar com Pix", url: first.url },
    note: "Se você já pagou, desconsidere este aviso.",
    unsubscribe: { label: "Não me lembre mais", url: unsubscribeUrl },
  }
}
