import { invoiceStateLabels } from "@tilinta/contract/vocabulary/invoices"
import { reaisText } from "@tilinta/contract/vocabulary/money"
import { perPeriod, subscriptionStatusLabels } from "@tilinta/contract/vocabulary/subscriptions"
import { type Day, dayText } from "#kit/clock"
import { escapeHtml } from "#kit/html"
import type { Shop } from "#people/shops/rules"
import { checkoutPath } from "#selling/charge-pages/rules"
import { amountOn, stateOn } from "#selling/invoices/rules"
import type { Cycle } from "./reads.ts"
import { type Plan, type Subscription, subscriptionPath } from "./rules.ts"

export interface Typed {
  method?: string
  name?: string
  document?: string
  email?: string
}
export type Problems = { [Field in "name" | "document" | "email" | "whole"]?: string }

interface PlanFacts {
  plan: Plan
  receiver: string
  typed: Typed
  problems: Problems
  /** Customers may authorise debits, too. */
  isAutomatic: boolean
}

const fields = [
  { name: "name", label: "Nome completo", attributes: 'autocomplete="name" maxlength="140"' },
  {
    name: "document",
    label: "CPF ou CNPJ",
    attributes: 'autocomplete="off" autocapitalize="characters" maxlength="20"',
  },
  { name: "email", label: "E-mail", attributes: 'type="email" inputmode="email" autocomplete="email" maxlength="254"' },
] as const

/** Markup below the plan's title. */
export function planPageHtml({ plan, receiver, typed, problems, isAutomatic }: PlanFacts): string {
  const { amountCents, period, cycles, description } = plan
  const first = fields.find(({ name }) => problems[name] !== undefined)?.name
  const times = cycles === null ? "" : ` · ${cycles === 1 ? "uma vez" : `${cycles} vezes`}`
  return [
    `<p>${escapeHtml(receiver)}</p>`,
    `<p class="price">${reaisText(amountCents)} ${perPeriod[period]}${times}</p>`,
    description === "" ? "" : `<p class="about">${escapeHtml(description)}</p>`,
    problems.whole === undefined ? "" : `<p class="warning" role="alert">${escapeHtml(problems.whole)}</p>`,
    '<form method="post" novalidate>',
    ...fields.map(({ name, label, attributes }) => {
      const problem = problems[name]
      const wrong = problem === undefined ? "" : ` aria-invalid="true" aria-describedby="${name}-wrong"`
      return `<p class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes} required value="${escapeHtml(typed[name] ?? "")}"${wrong}${first === name ? " autofocus" : ""}>
${problem === undefined ? "" : `<span id="${name}-wrong" class="wrong">${escapeHtml(problem)}</span>`}</p>`
    }),
    '<button type="submit">Assinar e pagar a primeira</button>',
    isAutomatic
      ? '<p></p><button type="submit" name="method" value="automatic" class="second">Assinar com Pix Automático</button>'
      : "",
    "</form>",
    isAutomatic
      ? '<p class="small">Com Pix Automático você autoriza uma vez no app do seu banco, e cada cobrança é debitada sozinha. Sem ele, você paga pelo link de cada cobrança. Para cancelar, use o app do banco ou o link que vai por e-mail.</p>'
      : '<p class="small">Você paga por Pix, pelo link de cada cobrança: nada é debitado sozinho. Para cancelar, use o link que vai por e-mail.</p>',
    `<p class="small">${escapeHtml(receiver)} recebe os seus dados para cobrar. <a class="link" href="/privacidade">Privacidade</a></p>`,
  ]
    .filter((part) => part !== "")
    .join("\n")
}

interface OwnFacts {
  subscription: Subscription
  cycles: readonly Cycle[]
  today: Day
  receiver: string
  /** For its contact. */
  shop: Shop | null
  mayCancel: boolean
}

/** Markup below the subscription's title. */
export function ownPageHtml({ subscription, cycles, today, receiver, shop, mayCancel }: OwnFacts): string {
  const { status, terms, period, nextDueDay, uniqueLink } = subscription
  const due = cycles.findLast(({ invoice }) => invoice.status === "open" && invoice.lastDay >= today)
  const path = escapeHtml(subscriptionPath({ uniqueLink }))
  const lines = [
    ["Quem cobra", receiver],
    ["Situação", subscriptionStatusLabels[status]],
    ...(nextDueDay === null ? [] : [["Próximo vencimento", dayText(nextDueDay)]]),
  ]
  return [
    `<p class="price">${reaisText(terms.amountCents)} ${perPeriod[period]}</p>`,
    `<dl>${lines.map(([term = "", value = ""]) => `<div><dt>${term}</dt><dd>${escapeHtml(value)}</dd></div>`).join("\n")}</dl>`,
    due === undefined
      ? "<p>Nada a pagar agora.</p>"
      : `<p><a class="button" href="${escapeHtml(checkoutPath(due.invoice.uniqueLink))}">Pagar ${reaisText(amountOn(due.invoice, today).amount)}</a></p>`,
    subscription.method === "automatic"
      ? `<p><a class="link" href="${path}/autorizar">Débito automático: ver, autorizar ou cancelar</a></p>`
      : "",
    cycles.length === 0
      ? ""
      : `<h2>Cobranças</h2>\n<ul class="cycles">\n${cycles.map((cycle) => cycleHtml(cycle, today)).join("\n")}\n</ul>`,
    mayCancel
      ? `<details><summary>Cancelar a assinatura</summary>
<p>Não há mais cobranças depois disso. O que já foi cobrado continua a ser pago, e ${escapeHtml(receiver)} fica sabendo.</p>
<form method="post" action="${path}/cancelar"><button class="alarm" type="submit">Cancelar a assinatura</button></form></details>`
      : "",
    `<p class="small"><a class="link" href="/assinatura/dados/${escapeHtml(uniqueLink)}">Os seus dados</a> · <a class="link" href="/privacidade">Privacidade</a></p>`,
    shop === null || shop.email === ""
      ? ""
      : `<p class="small">Dúvidas: <a class="link" href="mailto:${escapeHtml(shop.email)}">${escapeHtml(shop.email)}</a></p>`,
  ]
    .filter((part) => part !== "")
    .join("\n")
}

function cycleHtml({ invoice }: Cycle, today: Day): string {
  const state = stateOn(invoice, today)
  const amount = reaisText(invoice.paid?.paidCents ?? amountOn(invoice, today).amount)
  const isOpen = invoice.status === "open" && invoice.lastDay >= today
  const words = `${dayText(invoice.terms.dueDay)} · ${amount}`
  const shown = isOpen ? `<a class="link" href="${escapeHtml(checkoutPath(invoice.uniqueLink))}">${words}</a>` : words
  return `<li><span>${shown}</span><span>${invoiceStateLabels[state]}</span></li>`
}
