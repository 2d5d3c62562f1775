import type { DatabaseSync } from "node:sqlite"
import { z } from "zod"
import { centsFromValor } from "./books.ts"
import { Problem } from "./problem.ts"

const chargeStatuses = ["ATIVA", "CONCLUIDA", "REMOVIDA_PELO_USUARIO_RECEBEDOR", "REMOVIDA_PELO_PSP"] as const

type ChargeStatus = (typeof chargeStatuses)[number]

export type Charge = {
  locationId: number
  txid: string
  status: ChargeStatus
  revision: number
  createdAt: number
  lifetimeSeconds: number
  amountCents: number
  receiverKey: string
  location: string
  pixCode: string
  details: ChargeDetails
  /** The PUT's body in canonical form, by which a repeated request is recognised. */
  requested: string
}

type ChargeFilter = {
  from: number
  to: number
  status?: string | undefined
  cpf?: string | undefined
  cnpj?: string | undefined
}

type ChargeRow = Omit<Charge, "details"> & { details: string }

export type ChargeBook = ReturnType<typeof openChargeBook>

const filteredCharges = `FROM charges WHERE createdAt BETWEEN :from AND :to
  AND (:status IS NULL OR status = :status)
  AND (:cpf IS NULL OR details ->> '$.devedor.cpf' = :cpf)
  AND (:cnpj IS NULL OR details ->> '$.devedor.cnpj' = :cnpj)`

export function openChargeBook(db: DatabaseSync) {
  const byTxid = db.prepare("SELECT * FROM charges WHERE txid = ?")
  const byLocation = db.prepare("SELECT * FROM charges WHERE location = ?")
  const insert = db.prepare(
    `INSERT INTO charges (txid, status, revision, createdAt, lifetimeSeconds, amountCents, receiverKey, location, pixCode, details, requested)
     VALUES (:txid, :status, :revision, :createdAt, :lifetimeSeconds, :amountCents, :receiverKey, :location, :pixCode, :details, :requested)
     RETURNING locationId`,
  )
  const update = db.prepare(
    `UPDATE charges SET status = :status, revision = :revision, lifetimeSeconds = :lifetimeSeconds, amountCents = :amountCents,
       pixCode = :pixCode, details = :details
     WHERE txid = :txid`,
  )
  const conclude = db.prepare("UPDATE charges SET status = 'CONCLUIDA' WHERE txid = ? AND status = 'ATIVA'")
  const count = db.prepare(`SELECT count(*) AS total ${filteredCharges}`)
  const newest = db.prepare("SELECT * FROM charges ORDER BY locationId DESC LIMIT ?")
  const page = db.prepare(`SELECT * ${filteredCharges} ORDER BY createdAt, locationId LIMIT :limit OFFSET :offset`)

  return {
    findByTxid: (txid: string): Charge | undefined => charge(byTxid.get(txid)),
    findByLocation: (location: string): Charge | undefined => charge(byLocation.get(location)),

    insert(created: Omit<Charge, "locationId">): Charge {
      const row = insert.get({ ...created, details: JSON.stringify(created.details) })
      return { ...created, locationId: Number(row?.locationId) }
    },

    update({ txid, status, revision, lifetimeSeconds, amountCents, pixCode, details }: Charge): void {
      const columns = { txid, status, revision, lifetimeSeconds, amountCents, pixCode }
      update.run({ ...columns, details: JSON.stringify(details) })
    },

    /** False when another payment or the removal came first. */
    conclude: (txid: string): boolean => conclude.run(txid).changes === 1,

    count: (filter: ChargeFilter): number => Number(count.get(chargeParameters(filter))?.total),

    newest: (limit: number): Charge[] => newest.all(limit).flatMap((row) => charge(row) ?? []),

    page(filter: ChargeFilter, limit: number, offset: number): Charge[] {
      return page.all({ ...chargeParameters(filter), limit, offset }).flatMap((row) => charge(row) ?? [])
    },
  }
}

function chargeParameters({ from, to, status, cpf, cnpj }: ChargeFilter) {
  return { from, to, status: status ?? null, cpf: cpf ?? null, cnpj: cnpj ?? null }
}

function charge(row: unknown): Charge | undefined {
  if (row === undefined) return undefined
  const stored = row as ChargeRow
  return { ...stored, details: JSON.parse(stored.details) as ChargeDetails }
}

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
type ChargeDetails = Pick<ChargeRequest, "devedor" | "solicitacaoPagador" | "infoAdicionais">

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

export type Payment = {
  endToEndId: string
  txid: string | null
  amountCents: number
  receiverKey: string
  payerNote: string | null
  paidAt: number
}

type PaymentFilter = {
  from: number
  to: number
  txid?: string | undefined
  hasTxid?: boolean | undefined
  hasRefund?: boolean | undefined
}

export type PaymentBook = ReturnType<typeof openPaymentBook>

const columns = "endToEndId, txid, amountCents, receiverKey, payerNote, paidAt"
const filtered = `FROM payments WHERE paidAt BETWEEN :from AND :to
  AND (:txid IS NULL OR txid = :txid)
  AND (:hasTxid IS NULL OR (txid IS NOT NULL) = :hasTxid)
  AND (:hasRefund IS NULL OR EXISTS (SELECT 1 FROM refunds WHERE refunds.endToEndId = payments.endToEndId) = :hasRefund)`

export function openPaymentBook(db: DatabaseSync) {
  const byEndToEndId = db.prepare(`SELECT ${columns} FROM payments WHERE endToEndId = ?`)
  const ofTxid = db.prepare(`SELECT ${columns} FROM payments WHERE txid = ? ORDER BY paidAt, id`)
  const insert = db.prepare(
    `INSERT INTO payments (${columns}) VALUES (:endToEndId, :txid, :amountCents, :receiverKey, :payerNote, :paidAt)`,
  )
  const count = db.prepare(`SELECT count(*) AS total ${filtered}`)
  const newest = db.prepare(`SELECT ${columns} FROM payments ORDER BY id DESC LIMIT ?`)
  const page = db.prepare(`SELECT ${columns} ${filtered} ORDER BY paidAt, id LIMIT :limit OFFSET :offset`)

  return {
    find: (endToEndId: string) => byEndToEndId.get(endToEndId) as Payment | undefined,
    ofTxid: (txid: string) => ofTxid.all(txid) as Payment[],
    insert(payment: Payment): void {
      insert.run(payment)
    },
    count: (filter: PaymentFilter): number => Number(count.get(parameters(filter))?.total),
    newest: (limit: number) => newest.all(limit) as Payment[],
    page: (filter: PaymentFilter, limit: number, offset: number) =>
      page.all({ ...parameters(filter), limit, offset }) as Payment[],
  }
}

function parameters({ from, to, txid, hasTxid, hasRefund }: PaymentFilter) {
  return { from, to, txid: txid ?? null, hasTxid: flag(hasTxid), hasRefund: flag(hasRefund) }
}

function flag(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value)
}
