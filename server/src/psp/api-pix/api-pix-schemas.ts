import * as z from "zod/mini"

/** Lenient on purpose: banks differ in what they omit or send as text (docs/psp). Requests are strict. */
const count = z.coerce.number()
const value = z.union([z.string(), z.number()])
/** A CPF may come as a number. */
const key = z.pipe(
  z.nullish(value),
  z.transform((written) => (written === undefined || written === null ? null : String(written))),
)
/** Absent or null in a list without entries. */
const rows = z.pipe(
  z.nullish(z.array(z.unknown())),
  z.transform((entries) => entries ?? []),
)

const partOfTerms = z.nullish(
  z.object({
    modalidade: z.nullish(value),
    valorPerc: z.nullish(value),
    descontoDataFixa: z.nullish(z.array(z.object({ data: z.string(), valorPerc: value }))),
  }),
)
export type PartOfTerms = z.infer<typeof partOfTerms>

const anythingElse = z.pipe(
  z.unknown(),
  z.transform(() => null),
)
/** `{ valor }` by the standard, a bare number at some. Whatever else it is counts as absent. */
const partOfValue = z.union([
  value,
  z.pipe(
    z.object({ valor: value }),
    z.transform(({ valor }) => valor),
  ),
  anythingElse,
])

/** Beyond the standard; where it is anything else, nobody is named. */
const payer = z.nullish(z.union([z.object({ nome: z.string() }), anythingElse]))

export const tokenSchema = z.object({
  access_token: z.string().check(z.minLength(1)),
  expires_in: z._default(count, 300),
  /** A text by OAuth, a list at some. */
  scope: z.pipe(
    z.nullish(z.union([z.string(), z.array(z.string())])),
    z.transform((scope) => (Array.isArray(scope) ? scope.join(" ") : scope)),
  ),
})

export const webhookViewSchema = z.object({ webhookUrl: z.string() })

export const receiptSchema = z.object({
  endToEndId: z.string().check(z.minLength(1), z.maxLength(64)),
  valor: value,
  horario: z.string(),
  txid: z.nullish(z.string().check(z.maxLength(64))),
  chave: key,
  componentesValor: z.nullish(z.union([z.record(z.string(), partOfValue), anythingElse])),
  devolucoes: z.nullish(z.array(z.unknown())),
  pagador: payer,
  /** Efí's place for it. */
  gnExtras: z.nullish(z.union([z.object({ pagador: payer }), anythingElse])),
})

export const refundSchema = z.object({
  id: z.string().check(z.regex(/^[!-~]{1,64}$/)),
  status: z.string(),
  valor: z.nullish(value),
  rtrId: z.nullish(z.string().check(z.maxLength(64))),
  motivo: z.nullish(z.string()),
  natureza: z.nullish(z.string()),
  horario: z.nullish(z.object({ liquidacao: z.nullish(z.string()) })),
})

export const chargeSchema = z.object({
  txid: z.string(),
  status: z.string(),
  calendario: z.nullish(
    z.object({
      criacao: z.nullish(z.string()),
      expiracao: z.nullish(count),
      dataDeVencimento: z.nullish(z.string()),
      validadeAposVencimento: z.nullish(count),
    }),
  ),
  valor: z.object({
    original: value,
    multa: partOfTerms,
    juros: partOfTerms,
    desconto: partOfTerms,
  }),
  chave: key,
  pixCopiaECola: z.nullish(z.string()),
  brcode: z.nullish(z.string()),
  textoImagemQRcode: z.nullish(z.string()),
  location: z.nullish(z.string()),
  loc: z.nullish(z.object({ location: z.nullish(z.string()) })),
  pix: z.nullish(z.array(z.unknown())),
})

export const pixPageSchema = z.object({
  parametros: z.nullish(z.object({ paginacao: z.nullish(z.object({ quantidadeDePaginas: z.nullish(count) })) })),
  pix: rows,
})

export const balanceSchema = z.object({ saldo: value, bloqueios: z.nullish(z.object({ total: z.nullish(value) })) })

const payoutReturnSchema = z.object({
  valor: z.nullish(value),
  status: z.nullish(z.string()),
  horario: z.nullish(z.object({ solicitacao: z.nullish(z.string()), liquidacao: z.nullish(z.string()) })),
})

export const payoutSchema = z.object({
  idEnvio: z.string(),
  status: z.string(),
  valor: z.nullish(value),
  endToEndId: z.nullish(z.string().check(z.maxLength(64))),
  e2eId: z.nullish(z.string().check(z.maxLength(64))),
  horario: z.nullish(z.object({ solicitacao: z.nullish(z.string()), liquidacao: z.nullish(z.string()) })),
  gnExtras: z.nullish(z.object({ erro: z.nullish(z.object({ motivo: z.nullish(z.string()) })) })),
  devolucoes: z.nullish(z.array(payoutReturnSchema)),
})

export const listedPayoutSchema = z.extend(payoutSchema, { idEnvio: z.nullish(z.string().check(z.maxLength(64))) })

/** Banks that omit the page count have one page. */
export function pagesOf({ parametros }: Pick<z.infer<typeof pixPageSchema>, "parametros">): number {
  return parametros?.paginacao?.quantidadeDePaginas ?? 1
}
export const disputePageSchema = z.object({
  parametros: z.nullish(z.object({ paginacao: z.nullish(z.object({ quantidadeDePaginas: count })) })),
  infracoes: rows,
})

const text = z.nullish(z.string())

export const disputeSchema = z.object({
  idInfracao: z.string().check(z.minLength(1), z.maxLength(64)),
  endToEndId: z.string().check(z.minLength(1), z.maxLength(64)),
  status: z.string(),
  valor: z.nullish(z.union([z.string(), z.number()])),
  razao: text,
  tipoSituacao: text,
  comentario: text,
  justificativaAnalista: text,
  dadosAnalise: z.nullish(z.object({ abertura: text, prazoFinalizacao: text, finalizacao: text })),
  criadoEm: text,
  atualizadoEm: text,
})

export const locationSchema = z.object({ id: z.int() })

const code = z.nullish(z.object({ codigo: text }))

export const recurrenceSchema = z.object({
  idRec: z.string().check(z.minLength(1), z.maxLength(64)),
  vinculo: z.object({ contrato: z.string() }),
  status: z.string(),
  valor: z.nullish(z.object({ valorRec: z.nullish(value) })),
  loc: z.nullish(z.object({ location: text })),
  ativacao: z.nullish(z.object({ tipoJornada: text })),
  atualizacao: z.nullish(z.array(z.object({ status: text, data: text }))),
  encerramento: z.nullish(
    z.object({ rejeicao: code, cancelamento: z.nullish(z.object({ solicitante: text, codigo: text })) }),
  ),
  dadosQR: z.nullish(z.object({ pixCopiaECola: text })),
})

export const recurrencePageSchema = z.object({
  parametros: pixPageSchema.shape.parametros,
  recs: z.pipe(
    z.nullish(z.array(recurrenceSchema)),
    z.transform((recs) => recs ?? []),
  ),
})

export const debitSchema = z.object({
  txid: z.string(),
  idRec: z.string(),
  status: z.string(),
  valor: z.nullish(z.object({ original: z.nullish(value) })),
  calendario: z.nullish(z.object({ dataDeVencimento: text })),
  encerramento: z.nullish(z.object({ rejeicao: code, cancelamento: code })),
  tentativas: z.nullish(
    z.array(z.object({ dataLiquidacao: z.string(), tipo: text, status: z.string(), endToEndId: text, rejeicao: code })),
  ),
  pix: z.nullish(z.array(z.unknown())),
})
