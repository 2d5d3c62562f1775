import { randomBytes } from "node:crypto"
import { bankClient } from "../installation.ts"
import { type Answer, send } from "../shop.ts"

/** Speaks to the bank as the account's owner does without the server: what it makes there the server never asked for. */
export interface BankClient {
  /** The code of a charge that the server knows nothing of. */
  createUnknownCharge(amountCents: number): Promise<string>
  /** The code that asks for another amount under the same txid; null when the bank refuses. */
  changeAmount(txid: string, amountCents: number): Promise<string | null>
}

export async function openBankClient(bankUrl: string): Promise<BankClient> {
  const login = Buffer.from(`${bankClient.id}:${bankClient.secret}`).toString("base64")
  const { body } = await send(`${bankUrl}/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${login}`, "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "client_credentials" }),
  })
  const authorization = `Bearer ${String(body["access_token"])}`

  function write(method: string, txid: string, request: object): Promise<Answer> {
    return send(`${bankUrl}/v2/cob/${txid}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(request),
    })
  }

  return {
    async createUnknownCharge(amountCents) {
      const request = {
        calendario: { expiracao: 3600 },
        valor: { original: valorOf(amountCents) },
        chave: bankClient.receiverKey,
      }
      const created = await write("PUT", randomBytes(16).toString("hex"), request)
      return String(created.body["pixCopiaECola"])
    },
    async changeAmount(txid, amountCents) {
      const changed = await write("PATCH", txid, { valor: { original: valorOf(amountCents) } })
      return changed.status === 200 ? String(changed.body["pixCopiaECola"]) : null
    },
  }
}

function valorOf(amountCents: number): string {
  const digits = String(amountCents).padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
