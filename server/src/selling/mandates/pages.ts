import { randomBytes } from "node:crypto"
import { isLiveMandate } from "@tilinta/contract/vocabulary/mandates"
import { type Cents, reaisText } from "@tilinta/contract/vocabulary/money"
import { perPeriod } from "@tilinta/contract/vocabulary/subscriptions"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Tx } from "#db/transaction"
import { isForeignForm, readOnlyForms } from "#http/form-body"
import { noticePage, plainPageHeaders, sendPlainPage } from "#http/notice-page"
import { limitCallers } from "#http/rate-limits"
import { dayText, saoPauloDay, type Times, timesOf } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { escapeHtml } from "#kit/html"
import { qrDataUrl, qrSvg } from "#kit/qr-code"
import { readReceiver } from "#people/shops/reads"
import { readOperator, readPlatform } from "#platform/settings/reads"
import { isStorableLink } from "#selling/charge-pages/views"
import { findSubscriptionOfLink } from "#selling/subscriptions/reads"
import { type Subscription, subscriptionPath } from "#selling/subscriptions/rules"
import type { HttpDeps } from "#start/deps"
import { notifySeller } from "./mails.ts"
import { findNextDebits } from "./manage.ts"
import { findCountingMandates, findFirstCode, listMandatesOf } from "./reads.ts"
import { authorisationPath, type Mandate } from "./rules.ts"

type Deps = Pick<HttpDeps, "db" | "clock" | "psp" | "payersUrl">
type Call = FastifyRequest<{ Params: { link: string }; Querystring: { pedido?: unknown } }>

interface Shown {
  subscription: Subscription
  mandate: Mandate
}

/** The customer gives the authorisation here, sees what comes, and asks for its end. It works without script. */
export function authorisationPages(scope: FastifyInstance, deps: Deps): void {
  const { db, clock, payersUrl } = deps
  readOnlyForms(scope)
  limitCallers(scope, deps)
  const path = authorisationPath({ uniqueLink: ":link" })

  /** One that waits for the customer, else the one that counts. */
  async function shownOf(link: string): Promise<Shown | null> {
    const subscription = isStorableLink(link) ? await findSubscriptionOfLink(db, link) : null
    if (subscription === null) return null
    const all = await listMandatesOf(db, subscription.id)
    const waiting = all.find(({ status }) => status === "waiting" || status === "draft")
    const [counting] = waiting === undefined ? await findCountingMandates(db, [subscription.id]) : [waiting]
    return counting === undefined ? null : { subscription, mandate: counting }
  }

  scope.get(path, async (request: Call, reply) => {
    const shown = await shownOf(request.params.link)
    if (shown === null) return sendNone(reply)
    return send(reply, shown, request.query.pedido !== undefined)
  })

  scope.get(`${path}/qr.svg`, async (request: Call, reply) => {
    const code = (await shownOf(request.params.link))?.mandate ?? null
    if (code === null || code.status !== "waiting" || code.pixCode === null) throw new DomainError("mandate_not_found")
    return reply.header("cache-control", "no-store").type("image/svg+xml").send(qrSvg(code.pixCode))
  })

  scope.post(`${path}/pedir-cancelamento`, { bodyLimit: 4_096 }, async (request: Call, reply) => {
    if (isForeignForm(request, payersUrl)) throw new DomainError("forbidden")
    const shown = await shownOf(request.params.link)
    if (shown === null) return sendNone(reply)
    await db.transaction().execute((tx) => askSeller(tx, shown, timesOf(clock)))
    return reply.header("cache-control", "no-store").redirect(`${authorisationPath(shown.mandate)}?pedido`, 303)
  })

  async function send(reply: FastifyReply, { subscription, mandate }: Shown, isAsked: boolean): Promise<FastifyReply> {
    const { firstTxid } = mandate
    const times = timesOf(clock)
    const [receiver, { legalName }, { name: platformName }, debits, first] = await Promise.all([
      readReceiver(db, { sellerId: mandate.sellerId, paidAt: null }),
      readOperator(db),
      readPlatform(db),
      findNextDebits(deps, [{ mandate, subscription }], times.due),
      firstTxid === null ? null : findFirstCode(db, firstTxid, times.now),
    ])
    const nextDay = debits.get(mandate.id)?.nextDay ?? null
    const facts = { subscription, mandate, nextDay, isAsked, receiver: receiver.name, inFavourOf: legalName }
    const paysNow = first?.isOpen === true ? first.amountCents : null
    const nonce = randomBytes(16).toString("base64")
    const html = pageHtml({ ...facts, paysNow, isFirstPaid: (first?.paidAt ?? null) !== null }, nonce)
    const page = noticePage({ platformName, title: subscription.title, html, nonce, style })
    return reply.headers(plainPageHeaders(nonce)).type("text/html; charset=utf-8").send(page)
  }

  async function sendNone(reply: FastifyReply): Promise<FastifyReply> {
    const { name: platformName } = await readPlatform(db)
    const text = "Confira se o link está completo, ou peça um novo a quem cobra."
    return sendPlainPage(reply, { platformName, below: "", title: "Autorização não encontrada", text, status: 404 })
  }
}

/** Once a day, however often the button is pressed. */
async function askSeller(tx: Tx, { mandate }: Shown, { now, due }: Times): Promise<void> {
  if (!isLiveMandate(mandate.status)) return
  const title = "Cliente pede o fim do débito automático"
  const next = "Cancele a autorização na assinatura."
  await notifySeller(tx, mandate, { dedupeKey: `${mandate.id}:end:${saoPauloDay(due)}`, title, next }, now)
}

interface Facts extends Shown {
  nextDay: string | null
  isAsked: boolean
  receiver: string
  inFavourOf: string
  /** The code pays the open cycle, too. Null where it only authorises. */
  paysNow: Cents | null
  isFirstPaid: boolean
}

const howToCancel =
  "Cancele quando quiser no app do seu banco, em Pix Automático. Um débito pode ser cancelado lá até as 23h59 da véspera."

const moneyHtml = (cents: Cents) => reaisText(cents).replace(" ", "&nbsp;")

function pageHtml(facts: Facts, nonce: string): string {
  const { mandate, isAsked, subscription, receiver } = facts
  const path = escapeHtml(authorisationPath(mandate))
  const isGiven = mandate.status === "approved"
  return [
    `<p>${escapeHtml(receiver)}</p>`,
    `<p class="price">${moneyHtml(mandate.amountCents)} ${perPeriod[subscription.period]}</p>`,
    mandate.status === "waiting" ? waitingHtml(facts, path, nonce) : stateHtml(facts),
    isAsked ? '<p role="status">Pedido enviado. Quem cobra recebeu um aviso.</p>' : "",
    isGiven && !isAsked
      ? `<details><summary>Pedir o cancelamento a quem cobra</summary>
<p>Pelo app do banco é na hora. Por aqui ${escapeHtml(receiver)} recebe o seu pedido e cancela.</p>
<form method="post" action="${path}/pedir-cancelamento"><button class="alarm" type="submit">Pedir cancelamento</button></form></details>`
      : "",
    `<p class="small"><a class="link" href="${escapeHtml(subscriptionPath(subscription))}">Ver a minha assinatura</a></p>`,
  ]
    .filter((part) => part !== "")
    .join("\n")
}

function waitingHtml(
  { mandate, subscription, inFavourOf, paysNow, isFirstPaid }: Facts,
  path: string,
  nonce: string,
): string {
  const { amountCents, startsOn, contract, pixCode, journey } = mandate
  const paying = paysNow === null ? "" : `pagar ${moneyHtml(paysNow)} agora`
  const doing =
    paying === "" ? "confirmar no app do banco" : journey === 4 ? `${paying} e aceitar no app do banco` : paying
  const terms = `débitos de ${moneyHtml(amountCents)} ${perPeriod[subscription.period]}, a partir de ${dayText(startsOn)}, em favor de ${escapeHtml(inFavourOf)}, contrato ${escapeHtml(contract)}`
  if (pixCode === null) return "<p>O banco está preparando o código. Abra esta página de novo em um minuto.</p>"
  return [
    isFirstPaid
      ? '<p class="warning">O pagamento chegou, mas a autorização não foi concluída. Use o código abaixo para autorizar os próximos.</p>'
      : "",
    `<p><strong>Ao ${doing}, você autoriza ${terms}.</strong> Cancele quando quiser no app do seu banco.</p>`,
    // Nobody scans the screen of the phone in their hand.
    '<p><button type="button" id="copiar" hidden>Copiar código Pix</button></p>\n<p role="status" id="copiado"></p>',
    `<p class="code"><img src="${qrDataUrl(pixCode)}" width="232" height="232" alt="QR Code da autorização"></p>`,
    `<p class="field"><label for="codigo">Pix copia e cola</label><textarea id="codigo" readonly rows="4">${escapeHtml(pixCode)}</textarea></p>`,
    `<p><a class="button other" href="${path}">Já autorizei</a></p>`,
    `<script nonce="${nonce}">${copyScript}</script>`,
  ]
    .filter((part) => part !== "")
    .join("\n")
}

const copyScript = `
const copy = document.getElementById("copiar")
if (navigator.clipboard) {
  copy.hidden = false
  copy.onclick = () => navigator.clipboard.writeText(document.getElementById("codigo").value).then(
    () => { document.getElementById("copiado").textContent = "Código copiado. Cole em Pix, no app do seu banco." },
    () => document.getElementById("codigo").select(),
  )
}`

/** As its customer reads it. */
const customerWords: Record<Mandate["status"], string> = {
  draft: "Em preparação",
  waiting: "Aguardando a sua autorização",
  approved: "Autorizado",
  rejected: "Recusado por você",
  expired: "Encerrado",
  cancelled_by_payer: "Cancelado por você",
  cancelled_by_us: "Cancelado por quem cobra",
  cancelled_by_bank: "Cancelado pelo banco",
}

function stateHtml({ mandate, nextDay, inFavourOf }: Facts): string {
  const isGiven = mandate.status === "approved"
  const lines = [
    ["Débito automático", customerWords[mandate.status]],
    ...(nextDay === null ? [] : [["Próximo débito", dayText(nextDay)]]),
    ["No app do seu banco", inFavourOf],
    ["Contrato", mandate.contract],
  ]
  return [
    `<dl>${lines.map(([term = "", value = ""]) => `<div><dt>${term}</dt><dd>${escapeHtml(value)}</dd></div>`).join("\n")}</dl>`,
    isGiven
      ? `<p>${howToCancel}</p>`
      : `<p>${nextDay === null ? "Nada é debitado." : "O banco já tem este débito, e nada mais é debitado."} As cobranças chegam por link.</p>`,
  ].join("\n")
}

const style = `
  .price { margin: 0 0 1rem; color: #eef4f3; font-size: 1.5rem; font-weight: 700; font-variant-numeric: tabular-nums }
  .other { border: 1px solid #4b5f66; background: none; color: #eef4f3 }
  #copiado:empty { display: none }
  strong { color: #eef4f3; font-weight: 600 }
  .code { display: grid; justify-items: center }
  .code img { padding: .75rem; border-radius: .75rem; background: #fff }
  textarea { width: 100%; padding: .5rem .75rem; border: 1px solid #4b5f66; border-radius: .75rem; background: #0b1214; color: #eef4f3; font: inherit; resize: none; overflow-wrap: anywhere }
  dl { display: grid; gap: .5rem; margin: 0 0 1rem }
  dl div { display: flex; justify-content: space-between; gap: 1rem }
  dt { color: #8fa3a3 }
  dd { margin: 0; text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums }
  summary { min-height: 2.75rem; padding: .625rem 0; cursor: pointer; color: #bccac9 }
`
