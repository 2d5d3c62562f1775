/** When a reminder goes, in the order of an invoice's life; `due` days are the adjusted ones. */
export const reminderStepLabels = {
  created: "Quando a cobrança é criada",
  before_3: "3 dias antes do vencimento",
  due: "No dia do vencimento",
  after_1: "1 dia depois do vencimento",
  after_7: "7 dias depois do vencimento",
  before_last_day: "Na véspera do último dia para pagar",
} as const
export type ReminderStep = keyof typeof reminderStepLabels
export const reminderSteps = /* @__PURE__ */ Object.keys(reminderStepLabels) as ReminderStep[]

/** As they read until the seller writes others. A mail greets by itself and ends with the button that leads to the page; so does WhatsApp's text, in words. */
export const defaultReminderTexts = {
  created: "Você tem uma cobrança de {loja}: {valor}, com vencimento em {vencimento}.",
  before_3: "Passando para lembrar: a sua cobrança de {loja}, de {valor}, vence em {vencimento}.",
  due: "A sua cobrança de {loja}, de {valor}, vence hoje.",
  after_1: "A sua cobrança de {loja} venceu em {vencimento} e ainda está em aberto. O valor de hoje é {valor}.",
  after_7: "A sua cobrança de {loja}, que venceu em {vencimento}, continua em aberto. O valor de hoje é {valor}.",
  before_last_day:
    "Amanhã é o último dia para pagar a sua cobrança de {loja}, com vencimento em {vencimento}. O valor de hoje é {valor}.",
} as const satisfies Record<ReminderStep, string>

export const REMINDER_TEXT_MAX = 500

/** Mails a day and seller: more at once look like spam to the providers of the customers' mail. */
export const REMINDERS_A_DAY = 1_000

/** The words in braces that a text may hold, and what stands for each. */
export const reminderVariableLabels = {
  nome: "o nome do cliente",
  valor: "o valor de hoje",
  vencimento: "o dia do vencimento",
  loja: "o nome da sua loja",
  link: "o endereço da cobrança",
} as const
type ReminderVariable = keyof typeof reminderVariableLabels
const variables = /* @__PURE__ */ Object.keys(reminderVariableLabels) as ReminderVariable[]

const isVariable = (word: string): word is ReminderVariable => Object.hasOwn(reminderVariableLabels, word)

/** Says what is wrong with a text; null for one that can be filled in. */
export function problemOfReminderText(text: string): string | null {
  const unknown = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, word = ""]) => word).find((word) => !isVariable(word))
  if (unknown === undefined) return null
  return `“{${unknown}}” não existe. Use ${variables.map((word) => `{${word}}`).join(", ")}.`
}

/** In one pass, so that a customer who is called “{link}” stays one. */
export function fillReminderText(text: string, values: Readonly<Record<ReminderVariable, string>>): string {
  return text.replaceAll(/\{([^{}]*)\}/g, (found, word: string) => (isVariable(word) ? values[word] : found))
}

export const reminderChannelLabels = { email: "E-mail", whatsapp: "WhatsApp" } as const
export type ReminderChannel = keyof typeof reminderChannelLabels
export const reminderChannels = /* @__PURE__ */ Object.keys(reminderChannelLabels) as ReminderChannel[]

/** `withheld`: the invoice was paid, changed or ended, or the day was over, while the mail still waited. */
export const reminderStatusLabels = {
  queued: "Na fila",
  sent: "Enviado",
  bounced: "Não chegou",
  withheld: "Não enviado",
} as const
export type ReminderStatus = keyof typeof reminderStatusLabels
export const reminderStatuses = /* @__PURE__ */ Object.keys(reminderStatusLabels) as ReminderStatus[]

/** Why no reminder comes by itself. */
export const noReminderLabels = {
  off: "Os lembretes estão desligados.",
  no_email: "O cliente não tem e-mail.",
  unsubscribed: "O cliente pediu para não receber lembretes.",
  ended: "A cobrança não está mais em aberto.",
  done: "Todos os lembretes desta cobrança já foram.",
} as const
export type NoReminder = keyof typeof noReminderLabels
export const noReminders = /* @__PURE__ */ Object.keys(noReminderLabels) as NoReminder[]
