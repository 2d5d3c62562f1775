import type { RequestWithdrawalBody } from "@tilinta/contract/api/withdrawals-endpoints"
import { type FieldErrors, type Resolver, set } from "react-hook-form"
import { checkRequest, type Limits, type RequestForm } from "./request-form.ts"

export function requestResolver(limits: Limits): Resolver<RequestForm, unknown, RequestWithdrawalBody> {
  return (form) => {
    const checked = checkRequest(form, limits)
    if ("body" in checked) return { values: checked.body, errors: {} }
    const errors: FieldErrors<RequestForm> = {}
    for (const { path, message } of checked.problems) set(errors, path, { type: "rule", message })
    return { values: {}, errors }
  }
}
