import type { FastifyReply } from "fastify"

const titles = {
  RequisicaoInvalida: "Requisição inválida.",
  AcessoNegado: "Acesso Negado",
  NaoEncontrado: "Não Encontrado",
  MuitasRequisicoes: "Muitas requisições.",
  ErroInternoDoServidor: "Erro interno do servidor.",
  ServicoIndisponivel: "Serviço Indisponível",
  CobNaoEncontrado: "Cobrança não encontrada.",
  CobOperacaoInvalida: "Cobrança inválida.",
  CobConsultaInvalida: "Consulta inválida.",
  PixNaoEncontrado: "Pix não encontrado.",
  PixConsultaInvalida: "Consulta inválida.",
  PixDevolucaoNaoEncontrada: "Devolução não encontrada.",
  PixDevolucaoInvalida: "Devolução inválida.",
  EnvioNaoEncontrado: "Envio não encontrado.",
  EnvioOperacaoInvalida: "Envio inválido.",
  EnvioConsultaInvalida: "Consulta inválida.",
  InfracaoNaoEncontrada: "Não Encontrado",
  InfracaoOperacaoInvalida: "Operação Inválida",
  InfracoesConsultaInvalida: "Consulta Inválida",
  WebhookNaoEncontrado: "Webhook não encontrado.",
  WebhookOperacaoInvalida: "Webhook inválido.",
  WebhookConsultaInvalida: "Consulta inválida.",
} as const

export type ProblemType = keyof typeof titles

type Violation = { razao: string; propriedade: string; valor?: string }

/** An error answer of the standard (RFC 7807), thrown from wherever the rule is. */
export class Problem extends Error {
  readonly type: ProblemType
  readonly status: number
  readonly violations: Violation[]

  constructor(type: ProblemType, status: number, detail: string, violations: Violation[] = []) {
    super(detail)
    this.type = type
    this.status = status
    this.violations = violations
  }
}

/** In the standard's format, or in the older one that some banks still use. */
export function sendProblem(reply: FastifyReply, problem: Problem, isStandard = true): FastifyReply {
  const standard = {
    type: `https://pix.bcb.gov.br/api/v2/error/${problem.type}`,
    title: titles[problem.type],
    status: problem.status,
    detail: problem.message,
    ...(problem.violations.length > 0 && { violacoes: problem.violations }),
  }
  const body = isStandard ? standard : { nome: problem.type, mensagem: problem.message }
  const type = isStandard ? "application/problem+json; charset=utf-8" : "application/json; charset=utf-8"
  return reply.code(problem.status).type(type).send(JSON.stringify(body))
}
