import { invariant } from "#kit/errors"
import { bookPayments } from "#money/payments/book"
import { createCharge } from "#selling/charges/create"
import type { OpenCharge } from "#selling/charges/rules"
import { createPage, createSeller, type Sandbox } from "./sandbox.ts"

export interface PaidCharge extends OpenCharge {
  endToEndId: string
}

interface Wishes {
  sellerId?: string
  reais?: number
}

/** Pays a charge at the bank alone: the platform doesn't know yet. */
export async function payCharge(sandbox: Sandbox, wishes: Wishes = {}): Promise<PaidCharge> {
  const sellerId = wishes.sellerId ?? (await createSeller(sandbox))
  const page = await createPage(sandbox, { sellerId, reais: wishes.reais ?? 100 })
  const charge = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  const { body } = await sandbox.pay(charge.pixCode)
  return { ...charge, endToEndId: String(body["endToEndId"]) }
}

/** Pays a charge and books it; by default a new seller gets 85.00 of a payment of 100.00. */
export async function openPaidCharge(sandbox: Sandbox, wishes: Wishes = {}): Promise<PaidCharge> {
  const charge = await payCharge(sandbox, wishes)
  await bookReceipt(sandbox, charge.endToEndId)
  return charge
}

export async function bookReceipt(sandbox: Sandbox, endToEndId: string): Promise<void> {
  const receipt = await sandbox.psp.findReceipt(endToEndId)
  invariant(receipt !== null, "the bank doesn't know what it was paid")
  await bookPayments(sandbox, [receipt])
}

async function post(sandbox: Sandbox, path: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(`${sandbox.simulatorUrl}/simulador/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  invariant(answer.status === 201, `the bank answered ${answer.status}`)
  return (await answer.json()) as Record<string, string>
}

/** A refund by the bank, which the platform did not ask for. */
export async function takeByBank(sandbox: Sandbox, endToEndId: string, valor: string): Promise<void> {
  await post(sandbox, "devolucoes", { endToEndId, valor })
}

/** A payment without a charge of its own; the amount in reais as banks write them. Returns its endToEndId. */
export async function receiveStray(sandbox: Sandbox, stray: { valor: string; txid?: string }): Promise<string> {
  return String((await post(sandbox, "recebimentos", stray))["endToEndId"])
}

interface BankRefund {
  endToEndId: string
  id: string
  valor: string
  status: string
}

export async function readBankRefunds(sandbox: Sandbox, endToEndId: string): Promise<BankRefund[]> {
  const answer = await fetch(`${sandbox.simulatorUrl}/simulador/api/devolucoes`)
  const { devolucoes } = (await answer.json()) as { devolucoes: BankRefund[] }
  return devolucoes.filter((each) => each.endToEndId === endToEndId)
}
