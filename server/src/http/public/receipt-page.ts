import type { Receipt } from "#domain/money/receipts/get-receipt"
import { receiptLines } from "#domain/money/receipts/receipt-pdf"
import { momentText } from "#domain/platform/mails/mail-content"
import { escapeHtml } from "#kit/escape-html"
import { reaisText } from "@tilinta/contract/vocabulary/money"
import { qrSvg } from "#kit/qr-code"

interface Facts {
  transactionId: string
  /** Undefined where relaxed protection lets in without. */
  token: string | undefined
  receipt: Receipt
  /** Whether the payer left the CPF out. */
  leavesCpfOut: boolean
  verifyUrl: string
  nonce: string
}

function receiptPath(transactionId: string): string {
  return `/payment/receipt/${encodeURIComponent(transactionId)}`
}

export const receiptStyle = `
  .receipt dl { margin: 0 0 1.25rem }
  .receipt dl > div { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: .75rem; padding: .375rem 0 }
  .receipt dt { color: #93a5a6; font-size: .875rem }
  .receipt dd { margin: 0; text-align: right; overflow-wrap: anywhere; font-size: .9375rem }
  .amount { margin: 0 0 1rem; padding-bottom: 1rem; border-bottom: 1px dashed #4b5f66; color: #eef4f3; font-size: 2.25rem; font-weight: 700; line-height: 1.1 }
  .qr { display: grid; justify-items: center; gap: .75rem; margin: 0 0 1.5rem; text-align: center }
  .qr svg { width: 15rem; max-width: 100%; border-radius: .5rem }
  .actions { display: grid; gap: .75rem }
  .other { display: flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1rem; border: 1px solid #4b5f66; border-radius: .5rem; background: none; color: #eef4f3; font-weight: 600; text-decoration: none; text-align: center }
  summary { display: flex; align-items: center; min-height: 2.75rem; color: #5fe0bb; cursor: pointer }
  code { display: block; padding: .75rem; border: 1px solid #27343a; border-radius: .5rem; overflow-wrap: anywhere; font-size: .8125rem; line-height: 1.4; user-select: all }
  @media print {
    :root { color-scheme: light }
    body { display: block; padding: 0; background: #fff; color: #000 }
    main { max-width: 15cm; padding: 0; border: 0; background: #fff }
    p, .receipt dt, .receipt dd, .amount { color: #000 }
    .qr svg { width: 6cm }
    .noprint { display: none }
  }
`

/** Markup below the title. Everything but printing works without script. */
export function receiptHtml(facts: Facts): string {
  const { transactionId, token, receipt, verifyUrl, nonce } = facts
  const proof = new URLSearchParams({ transactionId, ...(token !== undefined && { k: token }) })
  const lines = receiptLines(receipt).map(
    ([label, value]) => `<div><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd></div>`,
  )
  return `<div class="receipt">
${receipt.refundedCents > 0 ? `<p class="warning">${refundWords(receipt)}</p>` : ""}
<p class="amount">${escapeHtml(reaisText(receipt.amountCents))}</p>
<dl>${lines.join("\n")}</dl>
<div class="qr">${qrSvg(verifyUrl, "M").replace("<svg ", '<svg role="img" aria-label="QR code que confere este recibo" ')}
<p class="small">Quem recebe este recibo aponta a câmera para o QR code e vê se ele é verdadeiro.</p></div>
<div class="actions noprint">
<a class="button" rel="noopener noreferrer" href="${escapeHtml(whatsAppUrl(receipt, verifyUrl))}">Enviar no WhatsApp</a>
<button type="button" class="other" id="print" hidden>Imprimir</button>
<a class="other" href="${escapeHtml(addressOf(facts, `${receiptPath(transactionId)}/recibo.pdf`))}">Baixar em PDF</a>
<a class="other" href="${escapeHtml(verifyUrl)}">Conferir este recibo</a>
</div>
<div class="noprint">
${cpfSwitch(facts)}
<details><summary>Texto assinado</summary><code>${escapeHtml(receipt.text)}</code></details>
<p><a class="link" href="${escapeHtml(`/payment/success?${proof.toString()}`)}">Voltar ao comprovante</a></p>
</div>
</div>
<script nonce="${nonce}">{const b=document.getElementById("print");b.hidden=false;b.onclick=()=>print()}</script>`
}

function refundWords({ amountCents, refundedCents }: Receipt): string {
  const what = refundedCents >= amountCents ? "O valor inteiro voltou" : `${reaisText(refundedCents)} voltaram`
  return escapeHtml(`${what} para a conta que fez o Pix.`)
}

/** Only for the payer whose CPF is known. */
function cpfSwitch(facts: Facts): string {
  const { receipt, leavesCpfOut, token, transactionId } = facts
  if (!receipt.hasCpf || token === undefined) return ""
  const href = addressOf({ ...facts, leavesCpfOut: !leavesCpfOut }, receiptPath(transactionId))
  const text = leavesCpfOut ? "Pôr o meu CPF, mascarado, no recibo" : "Tirar o meu CPF do recibo"
  return `<p><a class="link" href="${escapeHtml(href)}">${text}</a></p>`
}

function addressOf({ token, leavesCpfOut }: Pick<Facts, "token" | "leavesCpfOut">, path: string): string {
  const query = new URLSearchParams({ ...(token !== undefined && { k: token }), ...(leavesCpfOut && { cpf: "0" }) })
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

/** The link holds the receipt, and not the payer's token. */
function whatsAppUrl({ amountCents, receiver, paidAt }: Receipt, verifyUrl: string): string {
  const text = `Recibo de ${reaisText(amountCents)} pago a ${receiver} por Pix em ${momentText(paidAt.toISOString())}. Confira se é verdadeiro: ${verifyUrl}`
  return `https://wa.me/?${new URLSearchParams({ text }).toString()}`
}
