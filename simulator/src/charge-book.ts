import type { DatabaseSync } from "node:sqlite"
import type { ChargeDetails } from "./charge-request.ts"

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

const filtered = `FROM charges WHERE createdAt BETWEEN :from AND :to
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
  const count = db.prepare(`SELECT count(*) AS total ${filtered}`)
  const newest = db.prepare("SELECT * FROM charges ORDER BY locationId DESC LIMIT ?")
  const page = db.prepare(`SELECT * ${filtered} ORDER BY createdAt, locationId LIMIT :limit OFFSET :offset`)

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

    count: (filter: ChargeFilter): number => Number(count.get(parameters(filter))?.total),

    newest: (limit: number): Charge[] => newest.all(limit).flatMap((row) => charge(row) ?? []),

    page(filter: ChargeFilter, limit: number, offset: number): Charge[] {
      return page.all({ ...parameters(filter), limit, offset }).flatMap((row) => charge(row) ?? [])
    },
  }
}

function parameters({ from, to, status, cpf, cnpj }: ChargeFilter) {
  return { from, to, status: status ?? null, cpf: cpf ?? null, cnpj: cnpj ?? null }
}

function charge(row: unknown): Charge | undefined {
  if (row === undefined) return undefined
  const stored = row as ChargeRow
  return { ...stored, details: JSON.parse(stored.details) as ChargeDetails }
}
