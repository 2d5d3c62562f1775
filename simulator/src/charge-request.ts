import { z } from "zod"
import { centsFromValor } from "./cents.ts"
import { Problem } from "./problem.ts"

const int32 = 2_147_483_647
const day = 86_400

const lifetime = z.int().positive().max(int32)

const debtor = z
  .object({
    cpf: z
      .string()
      .regex(/^\d{11}$/)
      .optional(),
    cnpj: z
      .string()
      .regex(/^[0-9A-Z]{14}$/)
      .optional(),
    nome: z.string().min(1).max(200),
  })
  .refine(({ cpf, cnpj }) => (cpf === undefined) !== (cnpj === undefined), {
    message: "O objeto cob.devedor precisa de um e só um de cpf e cnpj.",
  })

const value = z.object({
  original: z
    .string()
    .regex(/^\d{1,10}\.\d{2}$/)
    .refine((valor) => centsFromValor(valor) !== 0, { message: "O campo cob.valor.original é zero." }),
  modalidadeAlteracao: z.literal(0).optional(),
})

const location = z.object({ id: z.int() })

const details = {
  devedor: debtor.optional(),
  solicitacaoPagador: z.string().max(140).optional(),
  infoAdicionais: z
    .array(z.object({ nome: z.string().max(50), valor: z.string().max(200) }))
    .max(50)
    .optional(),
}

export const chargeRequest = z.object({
  calendario: z.object({ expiracao: lifetime.default(day) }),
  valor: value,
  chave: z.string().min(1).max(77),
  loc: location.optional(),
  ...details,
})

export const chargeRevision = z.object({
  calendario: z.object({ expiracao: lifetime.optional() }).optional(),
  valor: value.optional(),
  chave: z.string().min(1).max(77).optional(),
  loc: location.optional(),
  status: z.literal("REMOVIDA_PELO_USUARIO_RECEBEDOR").optional(),
  ...details,
})

export type ChargeRequest = z.infer<typeof chargeRequest>
export type ChargeRevision = z.infer<typeof chargeRevision>
export type ChargeDetails = Pick<ChargeRequest, "devedor" | "solicitacaoPagador" | "infoAdicionais">

export const invalidCharge =
  "A requisição que busca alterar ou criar uma cobrança para pagamento imediato não respeita o _schema_ ou está semanticamente errada."

export function invalidChargeProblem(razao: string, propriedade: string): Problem {
  return new Problem("CobOperacaoInvalida", 400, invalidCharge, [{ razao, propriedade }])
}

/** Checks that zod can't make: the key must be this account's, and this bank issues no separate locations. */
export function refuseForeignParts(request: Pick<ChargeRevision, "chave" | "loc">, receiverKey: string): void {
  if (request.chave !== undefined && request.chave !== receiverKey) {
    throw invalidChargeProblem(
      "O campo cob.chave corresponde a uma conta que não pertence a este usuário recebedor.",
      "cob.chave",
    )
  }
  if (request.loc !== undefined)
    throw invalidChargeProblem("O location referenciado por loc.id inexiste.", "cob.loc.id")
}

export function definedDetails({ devedor, solicitacaoPagador, infoAdicionais }: ChargeDetails): ChargeDetails {
  return {
    ...(devedor !== undefined && { devedor }),
    ...(solicitacaoPagador !== undefined && { solicitacaoPagador }),
    ...(infoAdicionais !== undefined && { infoAdicionais }),
  }
}
