import { disputeReasonLabels } from "@tilinta/contract/vocabulary/dispute-status"
import { reaisText } from "@tilinta/contract/vocabulary/money"
import type { Letter } from "#mail/mail-layout"
import type { MailContent } from "./mail-content.ts"
import { momentText } from "./moment-text.ts"

type Opened = Extract<MailContent, { kind: "dispute_opened" }>
type Closed = Extract<MailContent, { kind: "dispute_closed" }>

export function writeDisputeLetter(content: Opened | Closed, name: string, publicUrl: string): Letter {
  return content.kind === "dispute_opened"
    ? openedLetter(content, name, publicUrl)
    : closedLetter(content, name, publicUrl)
}

function openedLetter(content: Opened, name: string, publicUrl: string): Letter {
  const { pageTitle, amountCents, blockedCents, reason, respondUntil } = content
  return {
    subject: `Pagamento contestado: ${reaisText(amountCents)}`,
    name,
    paragraphs: [
      "O pagador contestou no banco dele um Pix que você recebeu. Até a decisão dos bancos, o valor fica bloqueado e não pode ser sacado.",
      "Você pode escrever a sua defesa nos detalhes da transação: o que foi vendido, como e quando foi entregue.",
    ],
    facts: [
      { label: "Cobrança", value: pageTitle },
      { label: "Valor contestado", value: reaisText(amountCents) },
      { label: "Bloqueado do seu saldo", value: reaisText(blockedCents) },
      { label: "Motivo", value: disputeReasonLabels[reason] },
      ...(respondUntil === null ? [] : [{ label: "Responda até", value: momentText(respondUntil) }]),
    ],
    action: linkTo(content, publicUrl),
  }
}

function closedLetter(content: Closed, name: string, publicUrl: string): Letter {
  const { pageTitle, amountCents, isDebited } = content
  return {
    subject: `Contestação encerrada: ${reaisText(amountCents)}`,
    name,
    paragraphs: [
      isDebited
        ? "Os bancos aceitaram a contestação de um Pix que você recebeu: o valor bloqueado volta para o pagador."
        : "A contestação de um Pix que você recebeu foi encerrada a seu favor: o valor bloqueado voltou ao seu saldo.",
    ],
    facts: [
      { label: "Cobrança", value: pageTitle },
      { label: "Valor contestado", value: reaisText(amountCents) },
    ],
    action: linkTo(content, publicUrl),
  }
}

/** The disputed transaction opens beside the list. */
function linkTo({ chargeId }: Opened | Closed, publicUrl: string) {
  if (chargeId === undefined) return { label: "Ver transações", url: `${publicUrl}/transactions` }
  return { label: "Ver a transação", url: `${publicUrl}/transactions?transaction=${chargeId}` }
}
