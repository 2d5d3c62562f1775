import type { UserView } from "@tilinta/contract/users"
import { findBank } from "@tilinta/contract/vocabulary/banks"
import { accountTypes, type WithdrawalMethod } from "@tilinta/contract/vocabulary/withdrawals"
import { type RequestWithdrawalBody, requestWithdrawalBody } from "@tilinta/contract/withdrawals"
import { type FieldErrors, type Resolver, set } from "react-hook-form"
import { formatReais } from "#format/money-text.ts"
import { savedPixKeyText } from "#format/withdrawal-texts.ts"

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
    pixKey: savedPixKeyText(pixKey),
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

/** In reais. */
export interface Limits {
  available: number
  /** 0 while it is not known: the server still enforces it. */
  minimum: number
  /** Above it by TED alone; 0 where there is no such limit, or it is not known. */
  maxPix: number
}

/** Applies the server's own rules, the balance and the minimum; missing bank data is marked at its field. */
export function checkRequest(form: RequestForm, limits: Limits): Checked {
  const parsed = requestWithdrawalBody.safeParse(bodyOf(form))
  const problems = (parsed.error?.issues ?? []).flatMap(({ path, message }) =>
    path.join(".") === "bankData" ? missingBankData(form, message) : [{ path: path.join("."), message }],
  )
  if (form.paymentMethod === "bank_transfer" && isUnknownBank(form.bankData.bank)) {
    problems.push({ path: "bankData.bank", message: chooseBank })
  }
  const hasAmount = !problems.some(({ path }) => path === "amount")
  const problem = hasAmount ? amountProblem(form, limits) : undefined
  if (problem !== undefined) problems.unshift({ path: "amount", message: problem })
  return parsed.success && problems.length === 0 ? { body: parsed.data } : { problems }
}

export const chooseBank = "Escolha o banco na lista, pelo nome ou pelo código."

/** Only the forms insist on the list: a bank may be newer than it, and programs send what they have. */
export function isUnknownBank(text: string): boolean {
  return text.trim() !== "" && findBank(text) === null
}

function amountProblem(form: RequestForm, { available, minimum, maxPix }: Limits): string | undefined {
  const amount = form.amount ?? 0
  if (amount > available) return "Saldo insuficiente"
  if (maxPix > 0 && amount > maxPix && form.paymentMethod === "pix") {
    return `Acima de ${formatReais(maxPix)} o saque vai por TED: informe uma conta bancária.`
  }
  return amount < minimum ? `O valor mínimo do saque é ${formatReais(minimum)}` : undefined
}

function missingBankData({ bankData }: RequestForm, message: string): RequestProblem[] {
  return (["bank", "agency", "account"] as const)
    .filter((name) => bankData[name].trim() === "")
    .map((name) => ({ path: `bankData.${name}`, message }))
}

export function requestResolver(limits: Limits): Resolver<RequestForm, unknown, RequestWithdrawalBody> {
  return (form) => {
    const checked = checkRequest(form, limits)
    if ("body" in checked) return { values: checked.body, errors: {} }
    const errors: FieldErrors<RequestForm> = {}
    for (const { path, message } of checked.problems) set(errors, path, { type: "rule", message })
    return { values: {}, errors }
  }
}
