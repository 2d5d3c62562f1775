import type { Cents } from "@tilinta/contract/vocabulary/money"
import { invariant } from "#kit/errors"
import { readSellerBalance } from "#money/payments/reads"
import { approveWithdrawal } from "#money/withdrawals/decide"
import { requestWithdrawal } from "#money/withdrawals/request"
import { verifyBooks } from "#overviews/ledger-checks/check"
import { openPaidCharge, type PaidCharge } from "./paid-charges.ts"
import { createAdmin, openSandbox, type Sandbox } from "./sandbox.ts"
import { storeTestWebhook } from "./test-webhooks.ts"

/** A sandbox that settles payouts at once, with an administrator and a seller whose balance is 85.00. */
export interface PayoutDesk {
  sandbox: Sandbox
  adminId: string
  sellerId: string
  charge: PaidCharge
  request(cents: number): Promise<string>
  /** A request that the administrator has approved; nothing is sent yet. */
  approved(cents: number): Promise<string>
  balance(): Promise<number>
  rowOf(withdrawalId: string): Promise<WithdrawalRow>
  /** A webhook of a payout, as the bank sends them. */
  tell(idEnvio: string, status: "REALIZADO" | "DEVOLVIDO"): Promise<unknown>
  /** One of the bank's fault switches. */
  control(path: string, body: object): Promise<void>
  /** Its receiver sends the Pix back, or a part of it. */
  sendBack(idEnvio: string, centavos?: number): Promise<void>
  /** Verifies the books, too. */
  close(): Promise<void>
}

type WithdrawalRow = Awaited<ReturnType<typeof findRow>>

export async function openPayoutDesk(): Promise<PayoutDesk> {
  const sandbox = await openSandbox()
  await sandbox.control({ liquidacaoMs: 0 })
  const adminId = await createAdmin(sandbox)
  const charge = await openPaidCharge(sandbox)
  const { sellerId } = charge

  async function request(cents: number): Promise<string> {
    const { id } = await requestWithdrawal(sandbox, {
      seller: { id: sellerId, address: null },
      amountCents: cents as Cents,
      destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
      idempotencyKey: null,
    })
    return id
  }

  async function control(path: string, body: object): Promise<void> {
    const answer = await fetch(`${sandbox.simulatorUrl}/simulador/api/controle/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
    invariant(answer.ok, `the bank answered ${answer.status}`)
  }

  return {
    ...{ sandbox, adminId, sellerId, charge, request },
    async approved(cents) {
      const id = await request(cents)
      await approveWithdrawal(sandbox, { id, admin: { id: adminId, address: null }, adminNotes: "" })
      return id
    },
    balance: () => readSellerBalance(sandbox.db, sellerId),
    rowOf: (id) => findRow(sandbox, id),
    tell: (idEnvio, status) => {
      const pix = [{ tipo: "SOLICITACAO", status, gnExtras: { idEnvio } }]
      return storeTestWebhook(sandbox, Buffer.from(JSON.stringify({ pix })))
    },
    control,
    sendBack: (idEnvio, centavos) => control("envios-devolvidos", { idEnvio, centavos }),
    async close() {
      const { differences } = await verifyBooks(sandbox.db)
      await sandbox.close()
      invariant(differences.length === 0, `the books don't balance: ${JSON.stringify(differences)}`)
    },
  }
}

function findRow({ db }: Sandbox, id: string) {
  return db.selectFrom("withdrawals").selectAll().where("id", "=", id).executeTakeFirstOrThrow()
}
