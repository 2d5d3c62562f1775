import type { EdgeWorld, WorldUser } from "./edge-world.ts"

let pages = 0
let payers = 0

/** Through the API, as a seller makes one. */
export async function createPageOf(
  world: EdgeWorld,
  { token }: WorldUser,
  maxPayments: number | null,
): Promise<string> {
  pages += 1
  const body = {
    title: `Mentoria ${pages}`,
    slug: "mentoria",
    amount: 100,
    maxPayments,
    customerInfo: { requireName: true },
    pixConfig: { expiresInHours: 24 },
  }
  const answer = await world.call("POST", "/api/v1/checkout/pages", { token, body })
  return answer.json.data.checkoutPage._id
}

export interface TestCharge {
  id: string
  txid: string
}

/** As a payer asks for it. */
export async function createCharge(world: EdgeWorld, checkoutPageId: string): Promise<TestCharge> {
  payers += 1
  const customerInfo = { name: `Bia ${payers}`, email: "bia@exemplo.com", cpf: "52998224725", phone: "11987654321" }
  const answer = await world.call("POST", "/api/v1/checkout/process-modern-pix-payment", {
    body: { checkoutPageId, customerInfo },
  })
  const id: string = answer.json.data.transactionId
  const row = world.db.selectFrom("charges").select("txid").where("id", "=", id)
  return { id, txid: (await row.executeTakeFirstOrThrow()).txid ?? "" }
}
