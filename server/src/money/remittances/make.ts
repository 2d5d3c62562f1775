import { findBank } from "@tilinta/contract/vocabulary/banks"
import { reaisText } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import type { SecretKeys } from "#kit/secrets"
import { doubtText, findDoubt, requireUnclaimed } from "#money/hand-payouts/finish"
import { lockPayableByHand } from "#money/withdrawals/decide"
import type { Withdrawal } from "#money/withdrawals/withdrawal"
import { getUser } from "#people/users/reads"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { actOnOrder, renewMacs } from "#platform/order-macs/macs"
import { readPayoutAccount } from "#platform/settings/reads"
import { accountNumber, type Line, type Remittance, writeRemittance } from "./layout.ts"
import { getRemittance, type StoredRemittance } from "./reads.ts"
import { remittanceOrder } from "./rules.ts"
import { insertRemittance, lockRemittancesOfFormerKey, saveRemittanceMac, takeSequence } from "./table.ts"

interface RemittanceInput {
  ids: readonly string[]
  kind: Remittance["kind"]
  admin: Actor
  idempotencyKey: string | null
}

interface MadeRemittance {
  sequence: number
  file: string
}

/**
 * One file of payments for the bank, each with the checks of a payment by hand. What stands in it nobody else pays until the
 * bank's return says what became of it, or a day has passed. The same key answers the same file.
 */
export async function makeRemittance(
  { db, clock }: { db: Db; clock: Clock },
  input: RemittanceInput,
): Promise<MadeRemittance> {
  const now = clock.now()
  return actOnOrder({ db, clock }, (tx) => makeOnce(tx, input, now))
}

async function makeOnce(tx: Tx, { kind, admin, idempotencyKey, ...input }: RemittanceInput, now: Date) {
  const id = newId()
  const ids = [...new Set(input.ids)].toSorted()
  const request = { remittance: { ids, kind } }
  const firstId = await claimIdempotencyKey(tx, { ownerId: admin.id, key: idempotencyKey, request, resourceId: id })
  if (firstId !== id) return getRemittance(tx, { id: firstId })
  const payer = await readPayer(tx)
  const withdrawals: Withdrawal[] = []
  for (const each of ids) withdrawals.push(await lockForRemittance(tx, { id: each, kind, admin }, now))
  const sequence = await takeSequence(tx)
  const lines: Line[] = []
  for (const [at, withdrawal] of withdrawals.entries())
    lines.push(await lineOf(tx, withdrawal, nameOf(sequence, at + 1)))
  const file = writeRemittance({ sequence, madeAt: now, payer, kind, lines })
  const entries = ids.map((withdrawalId, at) => ({ line: at + 1, withdrawalId }))
  await insertRemittance(tx, { sequence, id, file, madeBy: admin.id, madeAt: now, lines: entries })
  await recordAudit(tx, {
    actor: admin,
    happenedAt: now,
    action: "remittance.made",
    entity: "list",
    entityId: "remittances",
    before: null,
    after: { sequence, kind, ids: ids.join(", ") },
  })
  return { sequence, file }
}

/** The file as it was written. @throws not_found also once it is erased, order_not_authentic */
export async function getRemittanceFile(deps: { db: Db; clock: Clock }, sequence: number): Promise<string> {
  return (await actOnOrder(deps, (tx) => getRemittance(tx, { sequence }))).file
}

/** For a rotation of SECRETS_KEY; how many remittances got another MAC. */
export async function renewRemittanceMacs(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  return renewMacs<StoredRemittance>(secretKeys, {
    rows: await lockRemittancesOfFormerKey(tx, secretKeys),
    orderOf: remittanceOrder,
    save: ({ sequence }, mac) => saveRemittanceMac(tx, sequence, mac),
  })
}

/** Its line's name in the file, which the bank's return repeats. */
function nameOf(sequence: number, line: number): string {
  return `TLT${String(sequence).padStart(6, "0")}${String(line).padStart(5, "0")}`
}

async function readPayer(tx: Tx): Promise<Remittance["payer"]> {
  const { bank, agency, account, agreement, cnpj, legalName } = await readPayoutAccount(tx)
  const known = findBank(bank)
  const number = accountNumber(account, "account")
  const place = accountNumber(agency, "agency")
  if (known === null || number === null || place === null || cnpj === "" || legalName === "") {
    throw new DomainError("payout_account_missing")
  }
  return {
    bank: known.code,
    bankName: known.name,
    cnpj: cnpj.replace(/\W/g, ""),
    name: legalName,
    agreement,
    agency: place,
    account: number,
  }
}

async function lockForRemittance(
  tx: Tx,
  { id, kind, admin }: Pick<RemittanceInput, "kind" | "admin"> & { id: string },
  now: Date,
): Promise<Withdrawal> {
  const withdrawal = await lockPayableByHand(tx, { id, admin }, now)
  const isPix = withdrawal.destination.method === "pix"
  if (isPix !== (kind === "pix")) throw new DomainError("withdrawal_not_completable")
  const payout = await requireUnclaimed(tx, { withdrawalId: id, adminId: admin.id, now })
  const doubt = await findDoubt(tx, { withdrawal, payout })
  if (doubt === null) return withdrawal
  const { name } = await getUser(tx, withdrawal.sellerId)
  const message = `Saque de ${name}, ${reaisText(withdrawal.amountCents)}. ${doubtText(doubt)}. Confira no banco e pague este saque manualmente.`
  throw new DomainError("withdrawal_claimed", { message })
}

async function lineOf(tx: Tx, { sellerId, amountCents, destination }: Withdrawal, name: string): Promise<Line> {
  const { name: holder, cpf } = await getUser(tx, sellerId)
  if (destination.method === "pix") {
    const { kind, key } = destination.pixKey
    const document = kind === "cpf" || kind === "cnpj" ? key : cpf
    return { name, amountCents, holder: { name: holder, document }, to: { method: "pix", kind, key } }
  }
  const { bank, agency, account, accountType } = destination.bankData
  const known = findBank(bank)
  if (known === null)
    throw brokenRule("ids", `${holder}: o banco “${bank}” não está na lista. Pague este saque manualmente.`)
  const number = accountNumber(account, "account")
  const place = accountNumber(agency, "agency")
  if (number === null || place === null) {
    const given = `agência “${agency}”, conta “${account}”`
    throw brokenRule("ids", `${holder}: ${given} não cabe na remessa. Confira, e pague este saque manualmente.`)
  }
  const to = {
    method: "ted",
    bank: known.code,
    agency: place,
    account: number,
    isSavings: accountType === "poupanca",
  } as const
  return { name, amountCents, holder: { name: holder, document: cpf }, to }
}
