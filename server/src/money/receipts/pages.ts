import type { PublicShopView } from "@tilinta/contract/fields"
import { reaisText } from "@tilinta/contract/vocabulary/money"
import { logoPath, shopColorCodes, shopContact } from "@tilinta/contract/vocabulary/shops"
import { escapeHtml } from "#kit/html"
import { qrSvg } from "#kit/qr-code"
import { momentText } from "#platform/mails/mail-content"
import { proofPath } from "#selling/charges/rules"
import { type ReceiptLine, receiptLines } from "./pdf.ts"
import type { Receipt } from "./receipt.ts"

interface ReceiptFacts {
  receipt: Receipt
  /** Today's; null without one. */
  shop: PublicShopView | null
  /** The signed way back to the seller's shop; null without one. */
  returnUrl: string | null
  /** The payer's own Pix on the charge page: they have no account to go home to. */
  homePath: string
  /** Undefined where relaxed protection lets in without. */
  token: string | undefined
  /** Whether the payer left the CPF out. */
  leavesCpfOut: boolean
  verifyUrl: string
  platformName: string
  nonce: string
}

function isReturned({ amountCents, refundedCents }: Receipt): boolean {
  return refundedCents >= amountCents
}

/** The specification's words, which /payment/success has without a payment, too. */
export function receiptTitle(receipt: Receipt): string {
  return isReturned(receipt) ? "Pagamento estornado" : "Pagamento Realizado com Sucesso!"
}

/** With the shop's colour on the main button: a payment that was made is as green as on the checkout. */
export function receiptStyle(shop: PublicShopView | null): string {
  return `${style}.actions > .button { background: ${shopColorCodes[shop?.color ?? "mint"]} }`
}

const style = `
  body { padding: 1.5rem 1rem 2rem }
  main { max-width: 30rem; padding: 0; border: 0; background: none; box-shadow: none }
  main > p { margin: 0; color: #93a5a6; text-align: center }
  h1 { margin: 0 0 .25rem; font-size: 1.625rem; line-height: 1.2; letter-spacing: -.025em; text-align: center; text-wrap: balance }
  main > .secure { margin: 0 0 1.25rem; color: #5fe0bb; font-size: .875rem; font-weight: 600 }
  main > .who { margin: 0 0 1.25rem; color: #eef4f3; font-size: 1.25rem; font-weight: 700 }
  .who img { display: block; margin: 0 auto .625rem; border-radius: 1rem }
  .mark { display: grid; place-items: center; width: 4rem; height: 4rem; margin: 0 auto 1.25rem; border-radius: 1.375rem; background: #5fe0bb; color: #08201b; box-shadow: 0 0 0 .625rem #5fe0bb1c }
  .mark.back { background: #27343a; color: #eef4f3; box-shadow: none }
  .mark svg { width: 1.875rem; height: 1.875rem; fill: none; stroke: currentColor; stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round }
  .card { margin: 1.5rem 0 1rem; padding: 1.25rem 1.25rem .75rem; border: 1px solid #27343a; border-radius: 1.5rem; background: #121b1e }
  .card h2 { margin: 0; color: #93a5a6; font-size: .875rem; font-weight: 500 }
  .amount { margin: .125rem 0 .5rem; padding-bottom: 1rem; border-bottom: 1px dashed #4b5f66; color: #eef4f3; font-size: min(2.625rem, 10vw); font-weight: 700; line-height: 1.15; letter-spacing: -.04em; font-variant-numeric: tabular-nums }
  dl { margin: 0 }
  dl > div { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: .75rem; padding: .4375rem 0 }
  dl > .id { display: block }
  dt { color: #93a5a6; font-size: .875rem }
  dd { margin: 0; text-align: right; overflow-wrap: anywhere; font-size: .875rem; font-variant-numeric: tabular-nums }
  .id dd { display: flex; gap: .5rem; align-items: center; justify-content: space-between; text-align: left; font: min(.8125rem, 3vw)/1.4 ui-monospace, monospace }
  .id button { flex: none; width: auto; min-width: 2.75rem; padding: .25rem .75rem; border: 1px solid #27343a; background: none; color: #eef4f3; font: inherit; font-size: .8125rem; font-weight: 600 }
  .actions { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem }
  .actions > * { display: flex; align-items: center; justify-content: center; min-height: 3rem; border-radius: .75rem }
  .actions > .button, .actions > :last-child:nth-child(even) { grid-column: 1 / -1 }
  .actions:has([hidden]) > * { grid-column: 1 / -1 }
  [hidden] { display: none !important }
  .other { padding: .5rem 1rem; border: 1px solid #4b5f66; background: none; color: #eef4f3; font-weight: 600; text-align: center; text-decoration: none }
  .contact { margin: .5rem 0 0; text-align: center }
  .contact a { font-weight: 600; text-underline-offset: .25rem }
  details { margin: 1rem 0 0; padding: 0 1.25rem; border: 1px solid #27343a; border-radius: .75rem }
  details[open] { padding-bottom: 1.25rem }
  summary { display: flex; align-items: center; justify-content: space-between; min-height: 3rem; color: #eef4f3; font-weight: 600; cursor: pointer }
  summary::after { content: "+"; color: #93a5a6; font-size: 1.375rem; font-weight: 400 }
  details[open] summary::after { content: "–" }
  details .other { display: flex; align-items: center; justify-content: center; min-height: 3rem; border-radius: .75rem }
  details svg { display: block; width: 13rem; max-width: 100%; margin: 0 auto 1rem; border-radius: .5rem }
  code { display: block; margin-top: 1rem; padding: .75rem; border: 1px solid #27343a; border-radius: .5rem; color: #bccac9; overflow-wrap: anywhere; font-size: .75rem; line-height: 1.4; user-select: all }
  .links { display: grid; justify-items: center; margin-top: 1rem; text-align: center }
  .links a { color: #bccac9; font-size: .875rem; text-underline-offset: .25rem }
  .said { position: fixed; inset: .75rem .75rem auto auto; margin: 0; padding: .75rem 1rem; border: 1px solid #27343a; border-radius: .75rem; background: #1c282c; color: #eef4f3 }
  .said:empty { display: none }
  @media print {
    :root { color-scheme: light }
    body { display: block; padding: 0; background: #fff; color: #000 }
    main { max-width: 15cm }
    h1, main > p { text-align: left }
    .card { margin: .5cm 0; padding: .5cm; border-color: #999; background: #fff }
    p, main > p, main > .who, dt, dd, .card h2, .amount { color: #000 }
    details { padding: 0; border: 0 }
    details::details-content { content-visibility: visible; display: block }
    details svg { width: 5cm; margin: 0 0 .25cm }
    .mark, .noprint, .secure, summary { display: none }
  }
`

const marks = {
  check: "<path d='m5 12.5 4.5 4.5L19 7.5'/>",
  back: "<path d='M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3'/>",
}

/** Above the title: who received, and how it went. */
export function receiptHead({ receipt, shop }: Pick<ReceiptFacts, "receipt" | "shop">): string {
  const mark = isReturned(receipt) ? "back" : "check"
  const logo =
    shop?.logoUrl === undefined ? "" : `<img src="${escapeHtml(logoPath(shop.logoUrl))}" alt="" width="56" height="56">`
  return `<p class="secure">Pagamento Seguro</p>
<p class="who">${logo}${escapeHtml(receipt.receiver)}</p>
<span class="mark ${mark}"><svg viewBox="0 0 24 24" aria-hidden="true">${marks[mark]}</svg></span>`
}

/** Below the title. Everything but printing and copying works without script. */
export function receiptHtml(facts: ReceiptFacts): string {
  const { receipt, shop, returnUrl, homePath, token, verifyUrl, platformName, nonce } = facts
  const contact = shop && shopContact(shop, receipt.title)
  return `<p>${isReturned(receipt) ? "O valor inteiro voltou para a conta que fez o Pix." : "Seu pagamento foi processado e confirmado."}</p>
<section class="card">
<h2>Comprovante</h2>
<p class="amount">${escapeHtml(reaisText(receipt.amountCents))}</p>
<dl>
${receiptLines(receipt).map(lineHtml).join("\n")}
</dl>
</section>
<div class="actions noprint">
${returnUrl === null ? "" : `<a class="button" href="${escapeHtml(returnUrl)}">Voltar à loja</a>`}
<a class="${returnUrl === null ? "button" : "other"}" rel="noopener noreferrer" href="${escapeHtml(whatsAppUrl(receipt, verifyUrl))}">Enviar no WhatsApp</a>
<a class="other" href="${escapeHtml(pdfPath(facts))}">Baixar PDF</a>
<button type="button" class="other" id="print" hidden>Imprimir comprovante</button>
<a class="other" href="${escapeHtml(homePath)}">Voltar ao Início</a>
</div>
${contact === null ? "" : `<p class="contact noprint"><a class="link" rel="noopener noreferrer" href="${escapeHtml(contact)}">Falar com ${escapeHtml(shop?.name ?? "")}</a></p>`}
<details>
<summary>Conferir autenticidade</summary>
<p class="small">Aponte a câmera para o QR code e veja se este comprovante é verdadeiro e se o valor foi estornado depois.</p>
${qrSvg(verifyUrl, "M").replace("<svg ", '<svg role="img" aria-label="QR code que confere este comprovante" ')}
<div class="noprint">
<p><a class="other" href="${escapeHtml(verifyUrl)}">Conferir este comprovante</a></p>
<p class="small">Texto assinado</p>
<code>${escapeHtml(receipt.text)}</code>
</div>
</details>
<div class="links noprint">
${cpfSwitch(facts)}
${token === undefined ? "" : `<a class="link" href="${escapeHtml(dataPath(receipt.transactionId, token))}">Ver, corrigir ou apagar os meus dados</a>`}
</div>
<p class="small">Pagamento processado com segurança por ${escapeHtml(platformName)}<br><a class="link noprint" href="/privacidade">Privacidade</a></p>
<p class="said" role="status"></p>
<script nonce="${nonce}">${script}</script>`
}

/** Without the Clipboard API, as on a page without https, the text is selected and copied the old way. */
const script = `{
const said=document.querySelector(".said")
const print_=document.getElementById("print")
print_.hidden=false
print_.onclick=()=>print()
for(const button of document.querySelectorAll("[data-copied]")){
button.hidden=false
button.onclick=async()=>{
const source=button.previousElementSibling
try{await navigator.clipboard.writeText(source.textContent)}
catch{getSelection().selectAllChildren(source);document.execCommand("copy")}
said.textContent=button.dataset.copied
setTimeout(()=>said.textContent="",5000)
}}}`

function lineHtml({ label, value, copied }: ReceiptLine): string {
  const [term, text] = [escapeHtml(label), escapeHtml(value)]
  if (copied === undefined) return `<div><dt>${term}</dt><dd>${text}</dd></div>`
  return `<div class="id"><dt>${term}</dt><dd><span>${text}</span><button type="button" class="noprint" data-copied="${escapeHtml(copied)}" aria-label="Copiar ${term}" hidden>Copiar</button></dd></div>`
}

/** Only for the payer whose CPF or CNPJ is known. */
function cpfSwitch({ receipt, leavesCpfOut, token }: ReceiptFacts): string {
  const { document } = receipt
  if (document === null || token === undefined) return ""
  const href = `${proofPath(receipt.transactionId, token)}${leavesCpfOut ? "" : "&cpf=0"}`
  const its = document === "CPF" ? "o meu CPF" : "o CNPJ"
  const text = leavesCpfOut
    ? `Pôr ${its}${document === "CPF" ? ", mascarado," : ""} no comprovante`
    : `Tirar ${its} do comprovante`
  return `<a class="link" href="${escapeHtml(href)}">${text}</a>`
}

function dataPath(transactionId: string, token: string): string {
  return `/payment/data/${transactionId}?k=${token}`
}

function pdfPath({ receipt, token, leavesCpfOut }: ReceiptFacts): string {
  const query = new URLSearchParams({ ...(token !== undefined && { k: token }), ...(leavesCpfOut && { cpf: "0" }) })
  const path = `/payment/receipt/${receipt.transactionId}/comprovante.pdf`
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

/** The link holds the receipt, and not the payer's token. */
function whatsAppUrl({ amountCents, receiver, paidAt }: Receipt, verifyUrl: string): string {
  const text = `Comprovante de ${reaisText(amountCents)} pago a ${receiver} por Pix em ${momentText(paidAt.toISOString())}. Confira se é verdadeiro: ${verifyUrl}`
  return `https://wa.me/?${new URLSearchParams({ text }).toString()}`
}
