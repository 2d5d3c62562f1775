import { type Cents } from "@tilinta/contract/vocabulary/money"
import { parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import { importStatement } from "#bank/bank-statements/import"
import { secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { digestOf, remittanceOrder } from "#money/remittances/rules"
import { takeSequence } from "#money/remittances/table"
import { approveWithdrawal, completePaidByHand } from "#money/withdrawals/decide"
import { sendPayouts } from "#money/withdrawals/pay"
import { requestWithdrawal } from "#money/withdrawals/request"
import type { Destination } from "#money/withdrawals/withdrawal"
import { macOf } from "#platform/order-macs/macs"
import { PspError } from "#psp/psp"
import type { EdgeWorld, WorldUser } from "./edge-world.ts"

const pixKey = parsePixKey("ana@loja.example")
if (pixKey === null) throw new Error("an e-mail is a Pix key")
export const pix: Destination = { method: "pix", pixKey }
const transfer: Destination = {
  method: "bank_transfer",
  bankData: { bank: "001", agency: "1234", account: "56789-0", accountType: "corrente" },
}

export async function makeWithdrawal(world: EdgeWorld, owner: WorldUser, destination: Destination): Promise<string> {
  const request = { seller: { id: owner.id, address: null }, amountCents: 5_000 as Cents, destination }
  return (await requestWithdrawal(world, { ...request, idempotencyKey: null })).id
}

export async function makeApprovedTransfer(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const id = await makeWithdrawal(world, owner, transfer)
  const admin = await world.user("admin")
  await approveWithdrawal(world, { id, admin: { id: admin.id, address: null }, adminNotes: "" })
  return id
}

export async function makePaidTransfer(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const id = await makeApprovedTransfer(world, owner)
  const admin = await world.user("admin")
  await completePaidByHand(world, { id, admin: { id: admin.id, address: null }, adminNotes: "" })
  return id
}

/** A file of the bank, with one debit. */
export async function makeBankStatement(world: EdgeWorld): Promise<string> {
  const admin = await world.user("admin")
  const file = Buffer.from(`Data;Histórico;Valor\n21/11/2026;Pix ${newId()};-12,34\n`)
  return (await importStatement(world, { file, admin: { id: admin.id, address: null } })).id
}

export const twoDaysAgo = ({ clock }: EdgeWorld) => ({ now: () => secondsAfter(clock.now(), -2 * 86_400) })

/** A payout that was handed to a bank which hasn't answered since. */
export async function makeUnansweredWithdrawal(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const id = await makeWithdrawal(world, owner, pix)
  const admin = await world.user("admin")
  const before = { ...world, clock: twoDaysAgo(world) }
  await approveWithdrawal(before, { id, admin: { id: admin.id, address: null }, adminNotes: "" })
  const silent = async () => Promise.reject(new PspError("unknown", "no answer"))
  const payouts = world.psp.payouts && { ...world.psp.payouts, find: silent, send: silent }
  await sendPayouts({ ...before, psp: { ...world.psp, payouts } })
  return id
}

/** A remittance's number. */
export async function makeRemittanceOf(world: EdgeWorld, owner: WorldUser): Promise<string> {
  return world.db.transaction().execute(async (tx) => {
    const [sequence, id, file, madeAt] = [await takeSequence(tx), newId(), "REMESSA", world.clock.now()]
    const mac = macOf(
      remittanceOrder({ sequence, id, fileDigest: digestOf(file), madeBy: owner.id, madeAt, lines: [] }),
    )
    const row = { sequence, id, file, file_digest: digestOf(file), made_by: owner.id, made_at: madeAt, mac }
    await tx.insertInto("remittances").values(row).execute()
    return String(sequence)
  })
}
