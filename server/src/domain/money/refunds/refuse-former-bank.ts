import type { Db } from "#db/transaction"
import { DomainError } from "#kit/domain-error"
import { isProviderConnected } from "./refunds-repository.ts"

/** Only the bank that received a payment can return it: a refund there without a connection would never end. */
export async function refuseFormerBank(db: Db, provider: string, origin: "seller" | "admin"): Promise<void> {
  if (await isProviderConnected(db, provider)) return
  if (origin === "seller") throw new DomainError("refund_at_former_bank")
  const message = `Este pagamento entrou pelo banco ${provider}, que não está mais conectado. Para devolvê-lo, ponha as variáveis desse banco em PIX_FORMER_PROVIDER e nas demais PIX_FORMER_…, reinicie o servidor e tente de novo.`
  throw new DomainError("refund_at_former_bank", { message })
}
