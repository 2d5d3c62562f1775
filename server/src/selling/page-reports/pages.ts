import {
  type PageReportReason,
  pageReportReasonLabels,
  pageReportReasons,
} from "@tilinta/contract/vocabulary/charge-pages"
import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import type { FastifyInstance, FastifyReply } from "fastify"
import { isForeignForm } from "#http/form-body"
import { sendPlainPage } from "#http/notice-page"
import { limitCallers } from "#http/rate-limits"
import { DomainError } from "#kit/errors"
import { escapeHtml } from "#kit/html"
import { networkOf } from "#kit/outside"
import { readPlatform } from "#platform/settings/reads"
import { type CheckoutDeps, findByLink, sendErrorPage } from "#selling/charge-pages/checkout-pages"
import { checkoutPath } from "#selling/charge-pages/rules"
import { reportPage } from "./reports.ts"
import type { ReportLimits } from "./routes.ts"

type Deps = CheckoutDeps & { reportLimits: ReportLimits }

interface Call {
  Params: { link: string }
  Body: { motivo?: string }
}

const path = "/checkout/:link/denunciar"

/** Needs no script, like everything that a payer must be able to do. */
export function reportPageRoutes(scope: FastifyInstance, deps: Deps): void {
  limitCallers(scope, deps)
  scope.removeAllContentTypeParsers()
  const form = { parseAs: "string", bodyLimit: 4_096 } as const
  scope.addContentTypeParser("application/x-www-form-urlencoded", form, (_request, body: string, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body)))
  })

  scope.get<Call>(path, { errorHandler: sendErrorPage }, async ({ params: { link } }, reply) => {
    return sendForm(reply, link, "")
  })

  scope.post<Call>(path, { errorHandler: sendErrorPage }, async (request, reply) => {
    const { link } = request.params
    const { found } = await findByLink(deps, link)
    if (found === null) return sendForm(reply, link, "")
    if (isForeignForm(request, deps.payersUrl)) return sendForm(reply, link, "O envio não veio desta página.")
    const reason = pageReportReasons.find((known) => known === request.body?.motivo)
    if (reason === undefined) return sendForm(reply, link, "Escolha o motivo da denúncia.")
    const network = networkOf(request.ip)
    deps.reportLimits.take(network, link)
    await reportPage(deps, { link, reason, network })
    return send(reply, thanks(link))
  })

  async function sendForm(reply: FastifyReply, link: string, problem: string): Promise<FastifyReply> {
    const { found, hiddenBy } = await findByLink(deps, link)
    if (found === null) return send(reply, nothing(new DomainError(hiddenBy)))
    return send(
      reply,
      question({ link, title: found.page.title, seller: found.shop?.name ?? found.sellerName, problem }),
    )
  }

  async function send(reply: FastifyReply, words: Words): Promise<FastifyReply> {
    const { name: platformName } = await readPlatform(deps.db)
    return sendPlainPage(reply, { platformName, ...words })
  }
}

type Words = Omit<Parameters<typeof sendPlainPage>[1], "platformName">

interface FormRequest {
  link: string
  title: string
  seller: string
  /** Empty before the form was sent. */
  problem: string
}

function question({ link, title, seller, problem }: FormRequest): Words {
  return {
    title: "Denunciar esta página",
    text: `“${title}”, cobrança de ${seller}. O que há de errado? Quem criou a cobrança não fica sabendo quem denunciou.`,
    below: `${problem === "" ? "" : `<p class="warning" role="alert">${escapeHtml(problem)}</p>\n`}<form method="post">
<fieldset>
<legend>Motivo</legend>
${pageReportReasons.map(choice).join("\n")}
</fieldset>
<button type="submit">Enviar denúncia</button>
</form>
${wayBack(link)}`,
    status: problem === "" ? 200 : 422,
  }
}

function choice(reason: PageReportReason): string {
  const label = escapeHtml(pageReportReasonLabels[reason])
  return `<label class="choice"><input type="radio" name="motivo" value="${reason}" required>${label}</label>`
}

function thanks(link: string): Words {
  return {
    title: "Denúncia recebida",
    text: "Uma pessoa vai olhar esta página. Não é preciso denunciar de novo.",
    below: `<p>Já pagou e desconfia de golpe? Fale agora com o seu banco e peça a devolução do Pix (MED): o pedido vale até 80 dias depois do pagamento.</p>
${wayBack(link)}`,
    status: 200,
  }
}

function nothing({ code }: DomainError): Words {
  return { title: "Nada para denunciar aqui", text: errorMessages[code], below: "", status: 404 }
}

function wayBack(link: string): string {
  return `<a class="link" href="${escapeHtml(checkoutPath(link))}">Voltar à cobrança</a>`
}
