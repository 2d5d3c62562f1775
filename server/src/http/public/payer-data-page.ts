import { type PayerField, payerFieldLabels, payerFields } from "@tilinta/contract/vocabulary/payer-data"
import { momentText } from "#domain/platform/mails/mail-content"
import type { HeldPayerData } from "#domain/selling/charges/payer-rights"
import { escapeHtml } from "#kit/escape-html"
import { maskedEmail } from "#kit/masked-email"
import { lastOnes } from "#kit/masked-pix-key"

interface Facts {
  transactionId: string
  held: HeldPayerData
  receiver: string
  supportEmail: string
  /** How long the data stay after the last event; null for ever. */
  days: number | null
  proofPath: string
  token: string
  outcome: Outcome | null
  /** A field that was refused, or a failure of the whole. */
  problem: { field: PayerField | null; message: string } | null
}

export function payerDataPath(transactionId: string): string {
  return `/payment/data/${encodeURIComponent(transactionId)}`
}

export const outcomes = {
  corrected: "Pronto: os seus dados estão corrigidos, e quem recebeu foi avisado.",
  erased: "Pronto: os seus dados foram apagados, e quem recebeu foi avisado.",
  noted: "O pedido está anotado. Apagamos assim que terminar o que está em aberto sobre este pagamento.",
} as const
export type Outcome = keyof typeof outcomes

/** The link is passed on, so it shows enough to recognise one's data, and nobody else's. */
const masks: Record<PayerField, (value: string) => string> = {
  name: (value) =>
    value
      .split(" ")
      .map((word, at) => (at === 0 ? word : `${word.slice(0, 1)}•••`))
      .join(" "),
  email: maskedEmail,
  cpf: (value) => lastOnes(value, 2),
  phone: (value) => lastOnes(value, 4),
}

const inputs: Record<PayerField, string> = {
  name: 'autocomplete="name"',
  email: 'type="email" autocomplete="email" inputmode="email"',
  cpf: 'inputmode="numeric" autocomplete="off"',
  phone: 'type="tel" autocomplete="tel-national"',
}

/** Markup below the title. Needs no script and no session. */
export function payerDataHtml(facts: Facts): string {
  const { held, receiver, days, proofPath, outcome, problem } = facts
  const fields = payerFields.filter((field) => held.payer[field] !== null)
  const parts = [
    outcome === null ? "" : `<p class="warning" role="status">${escapeHtml(outcomes[outcome])}</p>`,
    problem === null || problem.field !== null
      ? ""
      : `<p class="warning" role="alert">${escapeHtml(problem.message)}</p>`,
    `<p>Pagamento de “${escapeHtml(held.title)}” a ${escapeHtml(receiver)}.</p>`,
    fields.length === 0 ? noneHtml(held) : heldHtml(facts, fields),
    fields.length === 0 || days === null
      ? ""
      : `<p class="small">Sem pedido, apagamos tudo ${days === 1 ? "1 dia" : `${days} dias`} depois do último acontecimento deste pagamento.</p>`,
    '<p class="small">O valor, a data e os identificadores do Pix ficam, porque a lei manda guardar, sem dizer quem pagou. O que o seu banco informou não muda por aqui.</p>',
    `<p class="small">Dúvidas: <a class="link" href="mailto:${escapeHtml(facts.supportEmail)}">${escapeHtml(facts.supportEmail)}</a> · <a class="link" href="/privacidade">Privacidade</a></p>`,
    `<p><a class="link" href="${escapeHtml(proofPath)}">Voltar ao comprovante</a></p>`,
  ]
  return parts.filter((part) => part !== "").join("\n")
}

function noneHtml({ erasedAt }: HeldPayerData): string {
  const when = erasedAt === null ? "" : ` Foram apagados em ${momentText(erasedAt.toISOString())}.`
  return `<p>Não guardamos dados seus neste pagamento.${when}</p>`
}

function heldHtml({ transactionId, held, token, problem }: Facts, fields: readonly PayerField[]): string {
  const rows = fields.map((field) => fieldHtml(field, held.payer[field] ?? "", problem)).join("\n")
  const action = (verb: string) => escapeHtml(`${payerDataPath(transactionId)}/${verb}?k=${encodeURIComponent(token)}`)
  const asked =
    held.askedAt === null
      ? `<form method="post" action="${action("erase")}"><button class="alarm" type="submit">Apagar os meus dados</button></form>`
      : `<p class="warning">Você pediu em ${momentText(held.askedAt.toISOString())} que apaguemos. Esperamos o fim do que está em aberto.</p>`
  return `<h2>O que guardamos</h2>
<p>Quem vendeu pediu estes dados, e só quem vendeu e nós os vemos. Escreva só no campo que quer corrigir.</p>
<form method="post" action="${action("correct")}" novalidate>
${rows}
<button type="submit">Corrigir</button>
</form>
${asked}`
}

function fieldHtml(field: PayerField, value: string, problem: Facts["problem"]): string {
  const wrong = problem !== null && problem.field === field ? problem.message : null
  const id = `payer-${field}`
  const described = wrong === null ? `${id}-now` : `${id}-now ${id}-wrong`
  return `<p class="field"><label for="${id}">${payerFieldLabels[field]}</label>
<span id="${id}-now">Hoje: ${escapeHtml(masks[field](value))}</span>
<input id="${id}" name="${field}" maxlength="200" ${inputs[field]} aria-describedby="${described}"${wrong === null ? "" : ' aria-invalid="true"'}>
${wrong === null ? "" : `<span id="${id}-wrong" class="wrong">${escapeHtml(wrong)}</span>`}</p>`
}
