import { invariant } from "#kit/errors"
import type { Sandbox } from "./sandbox.ts"

interface BankDispute {
  idInfracao: string
  endToEndId: string
  status: string
  defesa?: string
}

async function call(sandbox: Sandbox, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${sandbox.simulatorUrl}/simulador/api/infracoes${path}`, {
    method,
    ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  })
  invariant(answer.ok, `the bank answered ${answer.status}`)
  return answer.json()
}

/** Opens a dispute of the payment, or of a part of it, at the bank alone. Returns the bank's id. */
export async function contest(sandbox: Sandbox, endToEndId: string, valor?: string): Promise<string> {
  const dispute = (await call(sandbox, "POST", "", { endToEndId, ...(valor && { valor }) })) as BankDispute
  return dispute.idInfracao
}

/** If accepted, the bank debits the money at once. */
export async function decide(
  sandbox: Sandbox,
  disputeId: string,
  status: "ACEITA" | "REJEITADA" | "CANCELADA_EFI",
): Promise<void> {
  await call(sandbox, "PUT", `/${disputeId}`, { status })
}

export async function readBankDispute(sandbox: Sandbox, disputeId: string): Promise<BankDispute> {
  const { infracoes } = (await call(sandbox, "GET", "")) as { infracoes: BankDispute[] }
  const found = infracoes.find(({ idInfracao }) => idInfracao === disputeId)
  invariant(found !== undefined, "the bank doesn't know the dispute")
  return found
}
