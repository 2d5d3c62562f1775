import { randomBytes } from "node:crypto"
import { type Cents, reaisText } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance, FastifyReply } from "fastify"
import type { Db } from "#db/transaction"
import { noticePage, plainPageHeaders } from "#http/notice-page"
import { limitCallers } from "#http/rate-limits"
import type { Clock } from "#kit/clock"
import { escapeHtml } from "#kit/html"
import { stopAccount } from "#money/withdrawals/account"
import { notMePath } from "#platform/mails/send-mails"
import { readPlatform } from "#platform/settings/reads"
import { ownerOfNotMeLink } from "./freeze.ts"

type State = Parameters<typeof notMePage>[0]["state"]

/** The link of the mails that report what a thief would do. Only the page's button acts: programs look into links. */
export function notMeRoutes(scope: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  limitCallers(scope, deps)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: 4_096 }, (_request, _body, done) => done(null))

  scope.get<{ Params: { token: string } }>(notMePath, async ({ params: { token } }, reply) => {
    return send(reply, (await ownerOfNotMeLink(deps, token)) === null ? "unknown" : "asks")
  })

  scope.post<{ Params: { token: string } }>(notMePath, async ({ params: { token }, ip }, reply) => {
    return send(reply, (await stopAccount(deps, { token, address: ip })) ?? "unknown")
  })

  async function send(reply: FastifyReply, state: State): Promise<FastifyReply> {
    const nonce = randomBytes(16).toString("base64")
    const { name: platformName, supportEmail } = await readPlatform(deps.db)
    return reply
      .code(state === "unknown" ? 404 : 200)
      .headers(plainPageHeaders(nonce))
      .type("text/html; charset=utf-8")
      .send(notMePage({ platformName, supportEmail, nonce, state }))
  }
}

interface Stopped {
  cancelledCount: number
  cancelledCents: Cents
  goneCount: number
  byHandCount: number
  removedCount: number
  invitationCount: number
}

interface Page {
  platformName: string
  supportEmail: string
  nonce: string
  /** The outcome of the button; `asks` before it is pressed. */
  state: "asks" | "unknown" | Stopped
}

/** Needs no script and no session: whoever was robbed of both gets here from the mail. */
function notMePage({ platformName, supportEmail, nonce, state }: Page): string {
  const support = `<a href="mailto:${escapeHtml(supportEmail)}">${escapeHtml(supportEmail)}</a>`
  if (state === "asks") return noticePage({ platformName, nonce, ...asks })
  if (state === "unknown") return noticePage({ platformName, nonce, ...unknown(support) })
  return noticePage({ platformName, nonce, ...done(state, support) })
}

const asks = {
  title: "Não foi você?",
  html: `<p>Com um toque, sem precisar entrar na conta:</p>
<ul>
<li>os saques que ainda não foram enviados são cancelados, e o valor volta ao saldo;</li>
<li>quem entrou na equipe da loja, ou passou a poder mais nela, desde a véspera da mensagem sai da equipe, e os convites abertos são cancelados;</li>
<li>todas as sessões são encerradas, em todos os aparelhos, e a senha atual deixa de valer;</li>
<li>a conta fica congelada: até você entrar com um segundo fator que já era seu, ou até o suporte liberar, ninguém saca, estorna, exporta nem altera nada.</li>
</ul>
<form method="post"><button class="alarm" type="submit">Não fui eu: parar tudo</button></form>
<p class="small">Foi você? Então é só fechar esta página: nada muda.</p>`,
}

function unknown(support: string) {
  return {
    title: "Este link não vale mais",
    html: `<p>Ele já foi usado, ou venceu. Se alguém está mexendo na sua conta, troque a senha agora e escreva para ${support}.</p>
<p><a class="link" href="/forgot-password">Trocar a senha</a></p>`,
  }
}

function done(stopped: Stopped, support: string) {
  const { cancelledCount, cancelledCents, goneCount, byHandCount } = stopped
  const cancelled =
    cancelledCount === 0
      ? "Não havia saque para cancelar."
      : `${cancelledCount === 1 ? "1 saque foi cancelado" : `${cancelledCount} saques foram cancelados`}: ${escapeHtml(reaisText(cancelledCents))} de volta ao saldo.`
  const gone = goneCount + byHandCount
  const warning =
    gone === 0
      ? ""
      : `<p class="warning">${gone === 1 ? "1 saque já tinha" : `${gone} saques já tinham`} ido para pagamento e não pôde ser cancelado por aqui. Escreva agora para ${support}.</p>\n`
  return {
    title: "Pronto, paramos tudo",
    html: `<p>${[cancelled, ...teamTexts(stopped)].join(" ")} As sessões foram encerradas, a senha anterior não vale mais, e a conta está congelada: dá para entrar e consultar, mais nada.</p>
${warning}<p>Agora redefina a sua senha por e-mail. Depois entre com o seu segundo fator, ou escreva para ${support}, para liberar a conta.</p>
<p><a class="button" href="/forgot-password">Redefinir a senha</a></p>`,
  }
}

function teamTexts({ removedCount, invitationCount }: Stopped): string[] {
  const removed = removedCount === 1 ? "1 pessoa saiu da equipe" : `${removedCount} pessoas saíram da equipe`
  const invited = invitationCount === 1 ? "1 convite foi cancelado" : `${invitationCount} convites foram cancelados`
  return [...(removedCount === 0 ? [] : [`${removed}.`]), ...(invitationCount === 0 ? [] : [`${invited}.`])]
}
