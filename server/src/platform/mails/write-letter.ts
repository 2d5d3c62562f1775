import { reaisText } from "@tilinta/contract/vocabulary/money"
import { dayText } from "#kit/clock"
import type { Letter } from "#mail/mailer"
import { writeAccountLetter, writeWebhookLetter } from "./account-letters.ts"
import { type MailContent, momentText, type NoticeMail } from "./mail-content.ts"
import {
  methodLabels,
  writeDisputeLetter,
  writePaymentLetter,
  writeRequestLetter,
  writeSettlementLetter,
  writeStepLetter,
  writeSubscriptionLetter,
} from "./money-letters.ts"
import { writeReminderLetter } from "./reminder-letter.ts"

type Kind = MailContent["kind"]
type Writer<Content> = (content: Content, name: string, publicUrl: string) => Letter

const writers: { [Each in Kind]: Writer<Extract<MailContent, { kind: Each }>> } = {
  reset_password: writeAccountLetter,
  invitation: writeAccountLetter,
  team_invitation: writeAccountLetter,
  confirm_email: writeAccountLetter,
  signup_repeated: writeAccountLetter,
  password_changed: writeAccountLetter,
  email_changed: writeAccountLetter,
  new_email: writeAccountLetter,
  bank_account_changed: writeAccountLetter,
  second_factor_changed: writeAccountLetter,
  api_key_created: writeAccountLetter,
  webhook_address: writeWebhookLetter,
  webhook_failing: writeWebhookLetter,
  payment_received: writePaymentLetter,
  receipt: writePaymentLetter,
  subscription: writeSubscriptionLetter,
  customer_email_changed: customerEmailLetter,
  payments_of_day: writePaymentLetter,
  reminder: writeReminderLetter,
  payment_refunded: writePaymentLetter,
  daily_close_differs: closeLetter,
  bank_balance_differs: balanceLetter,
  checkpoint: checkpointLetter,
  chain_rewritten: chainRewrittenLetter,
  dispute_opened: writeDisputeLetter,
  dispute_closed: writeDisputeLetter,
  withdrawal_returned: returnedLetter,
  settlement_waits: writeSettlementLetter,
  withdrawal_requested: writeRequestLetter,
  withdrawal_step: writeStepLetter,
  notice: writeNoticeLetter,
}

/** The text of each kind of mail. Links lead only to our own public address. */
export function writeLetter(content: MailContent, name: string, publicUrl: string): Letter {
  const write = writers[content.kind] as Writer<MailContent>
  return write(content, name, publicUrl)
}

type CustomerEmail = Extract<MailContent, { kind: "customer_email_changed" }>

function customerEmailLetter({ customerName, receiver, shop, changedAt }: CustomerEmail): Letter {
  return {
    shop,
    subject: `O seu e-mail mudou no cadastro de ${receiver}`,
    name: customerName,
    paragraphs: [
      `O e-mail do seu cadastro com ${receiver} foi trocado em ${momentText(changedAt)}, pelo link de uma cobrança ou assinatura sua. As próximas mensagens vão para o novo endereço.`,
      "Se não foi você, fale com quem cobra: o endereço pode ser corrigido, e quem tem o link vê as suas cobranças.",
    ],
  }
}

type Differs = Extract<MailContent, { kind: "daily_close_differs" }>

function closeLetter({ closeId, day, provider, count }: Differs, name: string, publicUrl: string): Letter {
  return {
    subject: `Fechamento de ${dayText(day)}: ${count === 1 ? "1 diferença" : `${count} diferenças`} com o banco`,
    name,
    paragraphs: [
      "O extrato do banco e os registros da plataforma não batem neste dia. Recebimentos que faltavam já foram lançados; as diferenças precisam da sua análise.",
    ],
    facts: [
      { label: "Dia", value: dayText(day) },
      { label: "Provedor", value: provider },
      { label: "Diferenças", value: String(count) },
    ],
    action: { label: "Ver as diferenças", url: `${publicUrl}/admin/daily-closes?close=${closeId}` },
  }
}

type BalanceDiffers = Extract<MailContent, { kind: "bank_balance_differs" }>

function balanceLetter(content: BalanceDiffers, name: string, publicUrl: string): Letter {
  const { closeId, day, provider, bankCents, ourCents, differenceCents } = content
  return {
    subject: `Fechamento de ${dayText(day)}: saldo do banco diferente em ${reaisText(differenceCents)}`,
    name,
    paragraphs: [
      "O saldo da conta no banco não é o da plataforma, e envios em andamento não explicam a diferença. Quase sempre falta lançar uma tarifa, um rendimento ou uma transferência própria.",
    ],
    facts: [
      { label: "Dia", value: dayText(day) },
      { label: "Provedor", value: provider },
      { label: "Saldo do banco", value: reaisText(bankCents) },
      { label: "Saldo da nossa conta", value: reaisText(ourCents) },
      { label: "Diferença", value: reaisText(differenceCents) },
    ],
    action: { label: "Ver o fechamento", url: `${publicUrl}/admin/daily-closes?close=${closeId}` },
  }
}

type OfCheckpoint = Extract<MailContent, { kind: "checkpoint" }>

/** A copy out of reach of whoever may change the database: its lines in this order are the signed note. */
function checkpointLetter({ day, note }: OfCheckpoint, name: string, publicUrl: string): Letter {
  const [origin = "", size = "", root = "", , signature = ""] = note.split("\n")
  return {
    subject: `Ponto de controle dos livros em ${dayText(day)}`,
    name,
    paragraphs: [
      "Guarde este e-mail. Ele diz até onde iam os livros neste dia e o que continham: se alguém mudar um lançamento antigo, mesmo direto no banco de dados, a conta deixa de fechar com estas linhas.",
    ],
    facts: [
      { label: "Livro", value: origin },
      { label: "Blocos", value: size },
      { label: "Raiz", value: root },
      { label: "Assinatura", value: signature },
    ],
    action: { label: "Ver o ponto de controle de agora", url: `${publicUrl}/.well-known/tilinta/checkpoint` },
    note: "Para conferir com npm run verify ou npm run statement:verify, grave um arquivo com as três primeiras linhas, uma linha vazia e a assinatura.",
  }
}

type ChainRewritten = Extract<MailContent, { kind: "chain_rewritten" }>

function chainRewrittenLetter({ foundAt, size, blockCount }: ChainRewritten, name: string, publicUrl: string): Letter {
  return {
    subject: "Os livros não são mais os que foram assinados",
    name,
    paragraphs: [
      "Alguém mudou ou apagou registros direto no banco de dados, ou um backup antigo foi restaurado. A plataforma não assina mais nada até que alguém olhe.",
      "Suspenda os saques, guarde o banco de dados como está e peça a quem cuida do servidor que execute npm run verify com um ponto de controle de um e-mail anterior.",
    ],
    facts: [
      { label: "Notado em", value: momentText(foundAt) },
      { label: "Blocos assinados", value: size === null ? "o último ponto de controle sumiu" : String(size) },
      { label: "Blocos agora", value: String(blockCount) },
    ],
    action: { label: "Abrir as configurações", url: `${publicUrl}/admin/settings` },
  }
}

type Returned = Extract<MailContent, { kind: "withdrawal_returned" }>

function returnedLetter(content: Returned, name: string, publicUrl: string): Letter {
  const { amountCents, returnedCents, wasPaid } = content
  const isWhole = returnedCents === amountCents
  return {
    subject: `Saque devolvido ao seu saldo: ${reaisText(returnedCents)}`,
    name,
    paragraphs: [
      wasPaid
        ? `${isWhole ? "Um saque que pagamos" : "Uma parte de um saque que pagamos"} voltou para nós, e o valor está de novo no seu saldo.`
        : "Não conseguimos pagar um saque que tinha sido aprovado, e o valor está de novo no seu saldo.",
      "Confira os dados para onde o dinheiro deve ir antes de solicitar o saque de novo.",
    ],
    facts: [
      { label: "Valor do saque", value: reaisText(amountCents) },
      { label: "De volta ao saldo", value: reaisText(returnedCents) },
      { label: "Método", value: methodLabels[content.method] },
      { label: "Data", value: momentText(content.returnedAt) },
      { label: "Motivo", value: content.reason },
    ],
    action: { label: "Ver saques", url: `${publicUrl}/withdrawals` },
  }
}

function writeNoticeLetter(content: NoticeMail, name: string, publicUrl: string): Letter {
  const { subject, text, facts, action, note } = content
  return {
    subject,
    name,
    paragraphs: [text],
    facts,
    action: { label: action.label, url: `${publicUrl}${action.path}` },
    ...(note !== "" && { note }),
  }
}
