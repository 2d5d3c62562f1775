import { webhookProblemLabels } from "@tilinta/contract/vocabulary/webhooks"
import type { Letter } from "#mail/mail-layout"
import type { MailContent } from "./mail-content.ts"
import { momentText } from "./moment-text.ts"

type Address = Extract<MailContent, { kind: "webhook_address" }>
type Failing = Extract<MailContent, { kind: "webhook_failing" }>

export function writeWebhookLetter(content: Address | Failing, name: string, publicUrl: string): Letter {
  return content.kind === "webhook_address"
    ? addressLetter(content, name, publicUrl)
    : failingLetter(content, name, publicUrl)
}

function addressLetter({ url, formerUrl, changedAt, address }: Address, name: string, publicUrl: string): Letter {
  return {
    subject: formerUrl === null ? "Um webhook foi cadastrado na sua conta" : "Um webhook mudou de endereço",
    name,
    paragraphs: [
      "Este endereço passa a receber os eventos da sua conta: cobranças, pagamentos e saques, com os dados dos pagadores.",
    ],
    facts: [
      { label: "Endereço", value: url },
      ...(formerUrl === null ? [] : [{ label: "Endereço anterior", value: formerUrl }]),
      { label: "Data", value: momentText(changedAt) },
      ...(address === null ? [] : [{ label: "Endereço IP", value: address }]),
    ],
    action: { label: "Ver meus webhooks", url: `${publicUrl}/developers` },
    note: "Se não foi você, exclua o webhook, revogue as chaves de API que não conhece e troque a sua senha agora mesmo.",
  }
}

function failingLetter({ url, since, problem }: Failing, name: string, publicUrl: string): Letter {
  return {
    subject: "Um dos seus webhooks não está respondendo",
    name,
    paragraphs: [
      "Há mais de uma hora nenhum evento chega a este endereço. Nada se perde: tentamos de novo por cinco dias, e tudo o que faltar é enviado quando ele voltar a responder.",
    ],
    facts: [
      { label: "Endereço", value: url },
      { label: "Desde", value: momentText(since) },
      { label: "Última falha", value: webhookProblemLabels[problem] },
    ],
    action: { label: "Ver as entregas", url: `${publicUrl}/developers` },
  }
}
