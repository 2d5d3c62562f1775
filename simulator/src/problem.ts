import type { FastifyReply } from "fastify"
import { z } from "zod"

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
  CobVNaoEncontrada: "Cobrança com vencimento não encontrada.",
  CobVOperacaoInvalida: "Cobrança inválida.",
  CobVConsultaInvalida: "Consulta inválida.",
  RecNaoEncontrada: "Recorrência não encontrada.",
  RecOperacaoInvalida: "Recorrência inválida.",
  RecConsultaInvalida: "Consulta inválida.",
  PayloadLocationRecNaoEncontrado: "Location não encontrada.",
  PayloadLocationRecConsultaInvalida: "Consulta inválida.",
  SolicRecNaoEncontrada: "Solicitação de recorrência não encontrada.",
  SolicRecOperacaoInvalida: "Solicitação de recorrência inválida.",
  CobRNaoEncontrado: "Cobrança não encontrada.",
  CobROperacaoInvalida: "Cobrança inválida.",
  CobRConsultaInvalida: "Consulta inválida.",
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

type Expected<T> = { schema: z.ZodType<T>; problem: ProblemType; detail: string; prefix?: string }

/** Reports Zod's issues in the standard's words. */
export function parseRequest<T>(value: unknown, { schema, problem, detail, prefix }: Expected<T>): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const violations = parsed.error.issues.map((issue) => {
    const property = [...(prefix === undefined ? [] : [prefix]), ...issue.path.map(String)].join(".")
    const reason = issue.code === "custom" ? issue.message : `O campo ${property} não respeita o _schema_.`
    return { razao: reason, propriedade: property }
  })
  throw new Problem(problem, 400, detail, violations)
}

const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
const pageSize = z.coerce.number().int().min(1).max(1000)
const flag = z.enum(["true", "false"]).transform((text) => text === "true")
const cpf = z.string().regex(/^\d{11}$/)
const cnpj = z.string().regex(/^[0-9A-Z]{14}$/)

const paging = {
  "paginacao.paginaAtual": z.coerce.number().int().min(0).default(0),
  "paginacao.itensPorPagina": pageSize.default(100),
}

const period = { inicio: instant, fim: instant, ...paging }

function inOrder({ inicio, fim }: { inicio?: number | undefined; fim?: number | undefined }): boolean {
  return inicio === undefined || fim === undefined || inicio <= fim
}

function onePerson(query: { cpf?: string | undefined; cnpj?: string | undefined }): boolean {
  return query.cpf === undefined || query.cnpj === undefined
}

const outOfOrder = { message: "O timestamp do parâmetro fim é anterior ao do parâmetro inicio.", path: ["fim"] }
const twoPersons = { message: "Ambos os parâmetros cpf e cnpj estão preenchidos.", path: ["cpf"] }

export const chargeListQuery = z
  .object({
    ...period,
    cpf: cpf.optional(),
    cnpj: cnpj.optional(),
    status: z.string().optional(),
    locationPresente: flag.optional(),
  })
  .refine(inOrder, outOfOrder)
  .refine(onePerson, twoPersons)

const inPeriod = z.object(period)

export const locationListQuery = inPeriod.extend({ idRecPresente: flag.optional() }).refine(inOrder, outOfOrder)

export const debitListQuery = inPeriod
  .extend({ cpf: cpf.optional(), cnpj: cnpj.optional(), status: z.string().optional(), idRec: z.string().optional() })
  .refine(inOrder, outOfOrder)
  .refine(onePerson, twoPersons)

export const paymentListQuery = z
  .object({
    ...period,
    txid: z
      .string()
      .regex(/^[a-zA-Z0-9]{1,35}$/)
      .optional(),
    txIdPresente: flag.optional(),
    devolucaoPresente: flag.optional(),
    cpf: cpf.optional(),
    cnpj: cnpj.optional(),
  })
  .refine(inOrder, outOfOrder)
  .refine(onePerson, twoPersons)

export const payoutListQuery = inPeriod.refine(inOrder, outOfOrder)
export const disputeListQuery = inPeriod.refine(inOrder, outOfOrder)

export const webhookListQuery = z
  .object({ inicio: instant.optional(), fim: instant.optional(), ...paging })
  .refine(inOrder, outOfOrder)

export type Page = { limit: number; offset: number }

type PagedQuery = {
  "paginacao.paginaAtual": number
  "paginacao.itensPorPagina": number
  inicio?: number | undefined
  fim?: number | undefined
}

export function pageOf(query: PagedQuery): Page {
  const limit = query["paginacao.itensPorPagina"]
  return { limit, offset: query["paginacao.paginaAtual"] * limit }
}

/** Repeats the query's parameters in the answer, with the total. */
export function listParameters(query: PagedQuery, total: number): Record<string, unknown> {
  const {
    inicio,
    fim,
    "paginacao.paginaAtual": paginaAtual,
    "paginacao.itensPorPagina": itensPorPagina,
    ...filters
  } = query
  return {
    ...(inicio !== undefined && { inicio: new Date(inicio).toISOString() }),
    ...(fim !== undefined && { fim: new Date(fim).toISOString() }),
    ...filters,
    paginacao: {
      paginaAtual,
      itensPorPagina,
      quantidadeDePaginas: Math.max(1, Math.ceil(total / itensPorPagina)),
      quantidadeTotalDeItens: total,
    },
  }
}
