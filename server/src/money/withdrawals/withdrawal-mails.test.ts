import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeAll, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { createAdmin, createSeller, openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { approveWithdrawal, completePaidByHand, rejectWithdrawal } from "./decide.ts"
import { sendPayouts, settlePayouts } from "./pay.ts"
import { requestWithdrawal } from "./request.ts"
import type { Destination } from "./withdrawal.ts"

let sandbox: Sandbox
let admin: { id: string; address: null }

beforeAll(async () => {
  sandbox = await openSandbox()
  admin = { id: await createAdmin(sandbox), address: null }
})

afterAll(async () => {
  await sandbox.close()
})

const byPix = { method: "pix", pixKey: { kind: "email", key: "ana@exemplo.com" } } as const
const byTransfer = {
  method: "bank_transfer",
  bankData: { bank: "Banco do Brasil", agency: "1234", account: "987654-3", accountType: "corrente" },
} as unknown as Destination

async function request(
  destination: Destination,
  seller?: string,
  at = new Date(),
): Promise<{ sellerId: string; id: string }> {
  const sellerId = seller ?? (await createSeller(sandbox))
  await giveBalance(sandbox.db, sellerId, 10_000)
  const input = { seller: { id: sellerId, address: null }, amountCents: 5_000 as Cents, destination }
  const { id } = await requestWithdrawal({ ...sandbox, clock: { now: () => at } }, { ...input, idempotencyKey: null })
  return { sellerId, id }
}

const mailsOf = (sellerId: string) => deliverMails(sandbox, `${sellerId}@exemplo.com`)
const subjectsOf = async (sellerId: string) => (await mailsOf(sellerId)).map(({ subject }) => subject).toReversed()

test("the seller hears of each step of a Pix, at last with its endToEndId, and the key is masked", async () => {
  await sandbox.control({ liquidacaoMs: 0 })
  const { sellerId, id } = await request(byPix)
  await approveWithdrawal(sandbox, { id, admin, adminNotes: "" })
  await sendPayouts(sandbox)
  const later = { now: () => secondsAfter(new Date(), 60) }
  await settlePayouts({ ...sandbox, clock: later })
  await settlePayouts({ ...sandbox, clock: later })
  expect(await subjectsOf(sellerId)).toEqual(["Recebemos o seu pedido de saque: R$ 50,00", "Saque pago: R$ 50,00"])
  const [paid] = await mailsOf(sellerId)
  const withdrawal = await sandbox.db
    .selectFrom("withdrawals")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
  expect(paid?.text).toContain(`ID do Pix (endToEndId): ${withdrawal.end_to_end_id}`)
  expect(paid?.text).toContain("Destino: Chave Pix an•••@exemplo.com")
  expect(paid?.html).not.toContain("ana@exemplo.com")
})

test("an approval is mailed only where the seller waited for it, and told in the list all the same", async () => {
  const approvals = async (sellerId: string) =>
    (await subjectsOf(sellerId)).filter((subject) => subject.startsWith("Saque aprovado"))
  const before = (seconds: number) => secondsAfter(new Date(), -seconds)
  const day = 86_400
  const soon = await request(byPix, undefined, before(day - 60))
  const late = await request(byPix, undefined, before(day + 60))
  const held = await request(byPix)
  const until = { held_until: before(1), hold_reasons: JSON.stringify(["new_destination"]) }
  await sandbox.db.updateTable("withdrawals").set(until).where("id", "=", held.id).execute()
  for (const { id } of [soon, late, held]) await approveWithdrawal(sandbox, { id, admin, adminNotes: "" })
  expect(await approvals(soon.sellerId)).toEqual([])
  for (const { sellerId } of [late, held]) expect(await approvals(sellerId)).toEqual(["Saque aprovado: R$ 50,00"])
  const told = await sandbox.db.selectFrom("notices").select("content").where("user_id", "=", soon.sellerId).execute()
  expect(JSON.stringify(told)).toContain('"step":"approved"')
})

test("a refused one carries the admin's note, and says that the money is back", async () => {
  const { sellerId, id } = await request(byPix)
  await rejectWithdrawal(sandbox, { id, admin, adminNotes: "A chave é de outra pessoa." })
  const [refused] = await mailsOf(sellerId)
  expect(refused?.subject).toBe("Saque recusado: R$ 50,00")
  expect(refused?.text).toContain("voltou para o seu saldo disponível")
  expect(refused?.text).toContain("Motivo: A chave é de outra pessoa.")
})

test("a bank transfer that was paid by hand is told once, however often the admin completes it", async () => {
  const { sellerId, id } = await request(byTransfer)
  await approveWithdrawal(sandbox, { id, admin, adminNotes: "" })
  const completion = () => completePaidByHand(sandbox, { id, admin, adminNotes: "" })
  await Promise.allSettled([completion(), completion(), completion()])
  expect(await subjectsOf(sellerId)).toEqual(["Recebemos o seu pedido de saque: R$ 50,00", "Saque pago: R$ 50,00"])
  expect((await mailsOf(sellerId))[0]?.text).toContain("Destino: Banco do Brasil, conta •••54-3")
})

test("the admin's mail names the destination, and compares it with the last paid one", async () => {
  const adminMails = () => deliverMails(sandbox, `${admin.id}@exemplo.com`)
  const { sellerId, id } = await request(byTransfer)
  expect((await adminMails())[0]?.text).toContain("Comparação: Primeiro saque deste vendedor")
  await approveWithdrawal(sandbox, { id, admin, adminNotes: "" })
  await completePaidByHand(sandbox, { id, admin, adminNotes: "" })
  await request(byTransfer, sellerId)
  expect((await adminMails())[0]?.text).toContain("Comparação: O mesmo do último saque pago")
  await request(byPix, sellerId)
  const [mail] = await adminMails()
  expect(mail?.text).toContain("Comparação: Diferente do último saque pago")
  expect(mail?.text).toContain("Destino: Chave Pix an•••@exemplo.com")
})
