import { z } from "zod"

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

export const payoutListQuery = z.object(period).refine(inOrder, outOfOrder)
export const disputeListQuery = z.object(period).refine(inOrder, outOfOrder)

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
