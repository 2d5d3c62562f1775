import { type PspCharge, type PspChargeRequest, PspError } from "#psp/psp"
import { isSuccess, refusalOf, saysNotFound, saysTaken, type WooviClient, wooviFailureOf } from "./woovi-client.ts"
import { chargeSchema } from "./woovi-schemas.ts"

/** The minimum that Woovi documents; a charge that ends sooner is removed by us at its time. */
const SHORTEST_SECONDS = 900

/** `correlationID` is our txid, so a repeated call returns the same charge. */
export async function createCharge(client: WooviClient, request: PspChargeRequest): Promise<PspCharge> {
  const answer = await client.request("POST", "/charge?return_existing=true", {
    correlationID: request.txid,
    value: request.amountCents,
    comment: [...request.description].slice(0, 140).join(""),
    expiresIn: Math.max(request.expiresInSeconds, SHORTEST_SECONDS),
  })
  // A repeated request may be refused: then the charge itself shows the result of the first one.
  const refused = () => (refusalOf(answer) === null ? null : findCharge(client, request.txid))
  const charge = isSuccess(answer) ? readCharge(answer.body, request.txid) : await refused()
  if (charge === null)
    throw saysTaken(answer) ? new PspError("unknown", "the charge isn't shown") : wooviFailureOf(answer)
  if (charge.status !== "ACTIVE") throw new PspError("rejected", `the charge is ${charge.status}`)
  if (charge.value !== request.amountCents) throw new PspError("rejected", "the charge exists with another amount")
  if (!charge.brCode) throw new PspError("rejected", "no Pix code in the answer")
  return { pixCode: charge.brCode }
}

/** A paid charge is never deleted: Woovi doesn't document what would become of its payment's txid. */
export async function removeCharge(client: WooviClient, txid: string): Promise<"removed" | "paid" | "absent"> {
  const before = await findCharge(client, txid)
  if (before === null) return "absent"
  if (before.status === "COMPLETED") return "paid"
  const answer = await client.request("DELETE", `/charge/${txid}`)
  if (!isSuccess(answer) && refusalOf(answer) === null) throw wooviFailureOf(answer)
  const after = await findCharge(client, txid)
  if (after === null || after.status === "EXPIRED") return "removed"
  if (after.status === "COMPLETED") return "paid"
  throw new PspError("rejected", `the charge is still ${after.status}`)
}

async function findCharge(client: WooviClient, txid: string) {
  const answer = await client.request("GET", `/charge/${txid}`)
  if (saysNotFound(answer)) return null
  if (!isSuccess(answer)) throw wooviFailureOf(answer)
  return readCharge(answer.body, txid)
}

function readCharge(body: unknown, txid: string) {
  const parsed = chargeSchema.safeParse(body)
  if (!parsed.success) throw new PspError("unknown", "unreadable charge")
  const { charge, brCode } = parsed.data
  if (charge.correlationID !== txid) throw new PspError("unknown", "the provider answered another charge")
  return { ...charge, brCode: charge.brCode ?? brCode ?? null }
}
