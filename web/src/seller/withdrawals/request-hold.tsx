import { useQuery } from "@tanstack/react-query"
import type { listDestinationsEndpoint } from "@tilinta/contract/api/destinations-endpoints"
import { parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import { useFormContext } from "react-hook-form"
import type { ReplyOf } from "#api/client.ts"
import { formatDateTime } from "#format/date.ts"
import { destinationsQuery } from "../destinations-data.ts"
import type { RequestForm } from "./request-form.ts"

type Known = ReplyOf<typeof listDestinationsEndpoint>["data"]

/** Tells before the request what it would wait for; nothing while that isn't known. */
export function RequestHold() {
  const known = useQuery(destinationsQuery).data
  const form = useFormContext<RequestForm>().watch()
  const text = known === undefined ? "" : holdText(known, form)
  // The region is there before its text, or screen readers would not say it.
  return (
    <div role="status" className="empty:absolute">
      {text !== "" && <p className="rounded-m border border-line-2 bg-amber-bg px-4 py-3 text-label">{text}</p>}
    </div>
  )
}

function holdText(known: Known, form: RequestForm): string {
  if (known.frozenAt !== null) {
    return "Os saques desta conta estão congelados. Entre com um segundo fator que já era seu, ou fale com o suporte."
  }
  const found = known.destinations.find((each) => isChosen(each, form))
  const untils = [known.heldUntil, found?.heldUntil ?? null].filter((until) => until !== null).toSorted()
  const isNew = found === undefined && known.newDestinationHours > 0 && isComplete(form)
  if (isNew) {
    const wait = `Destino novo: por segurança, este saque espera ${known.newDestinationHours} horas antes de ser aprovado`
    return known.heldUntil === null ? `${wait}.` : `${wait}, e todos esperam até ${formatDateTime(known.heldUntil)}.`
  }
  const until = untils.at(-1)
  return until === undefined ? "" : `Por segurança, este saque só pode ser aprovado depois de ${formatDateTime(until)}.`
}

function isComplete({ paymentMethod, pixKey, bankData }: RequestForm): boolean {
  if (paymentMethod === "pix") return parsePixKey(pixKey) !== null
  return bankData.bank !== "" && bankData.agency !== "" && bankData.account !== ""
}

function isChosen(known: Known["destinations"][number], { paymentMethod, pixKey, bankData }: RequestForm): boolean {
  if (known.paymentMethod !== paymentMethod) return false
  if (paymentMethod === "pix") return parsePixKey(pixKey)?.key === known.pixKey
  const parts = ["bank", "agency", "account", "accountType"] as const
  const plain = (text: string | undefined) => (text ?? "").trim().toLowerCase()
  return parts.every((part) => plain(known.bankData?.[part]) === plain(bankData[part]))
}
