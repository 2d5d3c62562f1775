import { randomUUID } from "node:crypto"
import { call, type Market } from "../crash-tests/exchanges/market.ts"

/** A page that no exchange changes: where a seller changes the amount, the codes of payers who wait there are removed. */
export async function openQuietPage(market: Market): Promise<string> {
  const body = {
    ...{ title: "Assinatura", slug: "assinatura", amount: 49.9, maxPayments: null },
    pixConfig: { allowAnonymous: true, expiresInHours: 24 },
  }
  const token = market.sellers[0]?.token ?? ""
  const { status, body: reply } = await call(market, "POST", "/checkout/pages", { body, token, key: randomUUID() })
  if (status !== 201) throw new Error(`the watched page answered ${status}`)
  return (reply["data"] as { checkoutPage: { _id: string } }).checkoutPage._id
}
