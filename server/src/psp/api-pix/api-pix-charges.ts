import { encodeDynamic } from "@tilinta/brcode/encode"
import { pixValueFromCents } from "@tilinta/contract/vocabulary/money"
import { isSamePixKey } from "@tilinta/contract/vocabulary/pix-key"
import type * as z from "zod/mini"
import { isDueTxid, momentOfTxid } from "#kit/ids"
import { type Answer, failureOf, kindOfRefusal, readRefusal } from "#psp/bounded-http"
import { type PspCharge, type PspChargeRequest, PspError } from "#psp/psp"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { chargeSchema } from "./api-pix-schemas.ts"
import { readValue } from "./list-pages.ts"
import { chargeRequest, checked, removalRequest, shownText, txidSchema } from "./token.ts"

/** The receiving account, and the name and city for codes that we write ourselves. */
export interface Receiver {
  key: string
  name: string
  city: string
}

export type Charge = z.infer<typeof chargeSchema>

/** Charges with a due day are kept apart. */
const pathOf = (txid: string) => `${isDueTxid(txid) ? "/cobv" : "/cob"}/${txid}`

/** `PUT /cob/{txid}` is idempotent, because the txid is ours; POST leaves its choice to the bank, and some lack it. */
export async function createCharge(
  client: ApiPixClient,
  receiver: Receiver,
  request: PspChargeRequest,
): Promise<PspCharge> {
  const txid = checkedTxid(request.txid)
  const solicitacaoPagador = shownText(request.description)
  const body = {
    calendario: { expiracao: request.expiresInSeconds },
    valor: { original: pixValueFromCents(request.amountCents) },
    chave: receiver.key,
    ...(solicitacaoPagador !== undefined && { solicitacaoPagador }),
  }
  const answer = await client.request("PUT", `/cob/${txid}`, checked(chargeRequest, body))
  const isCreated = answer.status === 200 || answer.status === 201
  if (isForbidden(answer)) throw new PspError("rejected", failureOf(answer).message)
  // Some banks refuse a repeated PUT: then the charge itself shows the result of the first one.
  const charge = isCreated ? readCharge(answer) : answer.status < 500 ? await findCharge(client, txid) : null
  if (charge === null) throw failureOf(answer)
  if (isCreated) client.stamps.learnFromCreation(charge.calendario?.criacao ?? "", txid)
  refuseOther(charge, request, receiver)
  return { pixCode: pixCodeOf(charge, receiver) }
}

export async function findCharge(client: ApiPixClient, txid: string): Promise<Charge | null> {
  const answer = await client.request("GET", pathOf(txid))
  if (answer.status === 404) return null
  if (answer.status !== 200) throw failureOf(answer)
  const charge = readCharge(answer)
  client.stamps.learnFromReading(charge.calendario?.criacao ?? "", txid)
  return charge
}

/** The standard's word for a missing right. Any other 403 may come from a firewall, and pass. */
function isForbidden({ status, body }: Answer): boolean {
  return status === 403 && kindOfRefusal(body) === "AcessoNegado"
}

export async function removeCharge(
  client: ApiPixClient,
  revisionPath: string,
  txid: string,
): Promise<"removed" | "paid" | "absent"> {
  const body = checked(removalRequest, { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" })
  const answer = await client.request("PATCH", isDueTxid(txid) ? pathOf(txid) : `${revisionPath}/${txid}`, body)
  if (answer.status >= 500 || answer.status === 429) throw failureOf(answer)
  // Whatever the answer was, the charge itself says whether it can be paid: a 404 may come from a wrong path.
  const charge = await findCharge(client, txid)
  if (charge === null) return "absent"
  if (charge.status === "CONCLUIDA") return "paid"
  if (charge.status.startsWith("REMOVIDA")) return "removed"
  // Banks refuse to change a code that has expired, and call it by words of their own.
  if (hasExpired(client, charge, txid)) return "removed"
  throw new PspError("rejected", `the charge is still ${charge.status}`)
}

const EXPIRY_MARGIN_MS = 60_000

/** It didn't exist before we named it, whatever the bank's stamp says. */
function hasExpired(client: ApiPixClient, { calendario }: Charge, txid: string): boolean {
  const createdAt = client.stamps.read(calendario?.criacao ?? "")
  if (createdAt === null) return false
  const bornMs = Math.max(createdAt.getTime(), momentOfTxid(txid)?.getTime() ?? 0)
  const lifeMs = (calendario?.expiracao ?? Number.NaN) * 1000
  return bornMs + lifeMs + EXPIRY_MARGIN_MS < (client.bankTime() ?? new Date()).getTime()
}

function checkedTxid(txid: string): string {
  if (!txidSchema.safeParse(txid).success) throw new PspError("rejected", "no txid by the standard")
  return txid
}

/** Some banks refuse with a status that says that all is well. */
export function readCharge(answer: Answer): Charge {
  const charge = chargeSchema.safeParse(answer.body)
  if (charge.success) return charge.data
  if (readRefusal(answer) === null) throw new PspError("unknown", "unreadable charge")
  throw new PspError("rejected", failureOf(answer).message)
}

/** A code for another charge, value or account is never shown. */
function refuseOther({ txid, status, valor, chave }: Charge, request: PspChargeRequest, { key }: Receiver): void {
  if (txid !== request.txid) throw new PspError("rejected", "the provider answered another txid")
  if (status !== "ATIVA") throw new PspError("rejected", `the charge is ${status}`)
  if (readValue(valor.original) !== request.amountCents) {
    throw new PspError("rejected", "the charge exists with another amount")
  }
  if (!isOurKey(chave, key)) throw new PspError("rejected", "the charge is for another Pix key")
}

/** A bank that omits the key means the requested one. */
export function isOurKey(reported: string | null | undefined, key: string): boolean {
  return !reported || isSamePixKey(reported, key)
}

/** Banks name the code's field differently; if only the location is given, the code is written here. */
export function pixCodeOf(
  { pixCopiaECola, brcode, textoImagemQRcode, location, loc }: Charge,
  receiver: Receiver,
): string {
  const code = pixCopiaECola || brcode || textoImagemQRcode
  if (code) return code
  const url = (location || loc?.location || "").replace(/^https?:\/\//i, "")
  if (url === "") throw new PspError("rejected", "no Pix code in the answer")
  try {
    return encodeDynamic({ url, merchantName: receiver.name, merchantCity: receiver.city })
  } catch (error) {
    throw new PspError("rejected", "no code can be written for the charge's address", { cause: error })
  }
}
