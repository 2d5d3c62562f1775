import type { UserView } from "@tilinta/contract/api/users-endpoints"
import { type RequestWithdrawalBody, requestWithdrawalBody } from "@tilinta/contract/api/withdrawals-endpoints"
import { accountTypes } from "@tilinta/contract/vocabulary/account-types"
import type { WithdrawalMethod } from "@tilinta/contract/vocabulary/withdrawal-status"

export interface RequestForm {
  amount: number | null
  paymentMethod: WithdrawalMethod
  pixKey: string
  bankData: { bank: string; agency: string; account: string; accountType: string }
}

interface RequestProblem {
  path: string
  message: string
}

/** Prefilled from the saved profile. */
export function requestFormOf(account: UserView["bankAccount"]): RequestForm {
  const { bank, agency, pixKey } = account
  const accountType = accountTypes.find((type) => type === account.accountType) ?? accountTypes[0]
  return {
    amount: null,
    paymentMethod: "pix",
    pixKey,
    bankData: { bank, agency, account: account.account, accountType },
  }
}

export const emptyRequest = requestFormOf({ bank: "", agency: "", account: "", accountType: "", pixKey: "" })

/** Sends only the chosen destination. */
function bodyOf({ amount, paymentMethod, pixKey, bankData }: RequestForm): object {
  const destination = paymentMethod === "pix" ? { pixKey } : { bankData }
  return { amount: amount ?? 0, paymentMethod, ...destination }
}

type Checked = { body: RequestWithdrawalBody } | { problems: RequestProblem[] }

/** Applies the server's own rules and the balance; missing bank data is marked at its field. */
export function checkRequest(form: RequestForm, available: number): Checked {
  const parsed = requestWithdrawalBody.safeParse(bodyOf(form))
  const problems = (parsed.error?.issues ?? []).flatMap(({ path, message }) =>
    path.join(".") === "bankData" ? missingBankData(form, message) : [{ path: path.join("."), message }],
  )
  const hasAmount = !problems.some(({ path }) => path === "amount")
  if (hasAmount && (form.amount ?? 0) > available) problems.unshift({ path: "amount", message: "Saldo insuficiente" })
  return parsed.success && problems.length === 0 ? { body: parsed.data } : { problems }
}

function missingBankData({ bankData }: RequestForm, message: string): RequestProblem[] {
  return (["bank", "agency", "account"] as const)
    .filter((name) => bankData[name].trim() === "")
    .map((name) => ({ path: `bankData.${name}`, message }))
}
