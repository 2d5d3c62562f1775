import { createStoredSwitch } from "#ui/browser-hooks.ts"

export const hidesFirstSteps = createStoredSwitch("first-steps-hidden")
export const hasSharedLink = createStoredSwitch("link-shared")

export function rememberShared(): void {
  if (!hasSharedLink.isOn()) hasSharedLink.toggle()
}

interface Progress {
  chargePages: number
  transactions: number
  hasShared: boolean
  hasBankData: boolean
  payments: number
  withdrawals: number
}

export interface Step {
  title: string
  hint: string
  to: "/checkouts/create" | "/checkouts" | "/profile" | "/transactions" | "/withdrawals"
  isDone: boolean
}

/** The way of a new seller to the first withdrawal. A generated Pix proves that the link was shared. */
export function stepsOf(progress: Progress): Step[] {
  const { chargePages, transactions, hasShared, hasBankData, payments, withdrawals } = progress
  return [
    {
      title: "Crie a primeira cobrança",
      hint: "Um título e um valor bastam.",
      to: "/checkouts/create",
      isDone: chargePages > 0,
    },
    {
      title: "Compartilhe o link",
      hint: "Por WhatsApp, QR ou onde o cliente estiver.",
      to: "/checkouts",
      isDone: hasShared || transactions > 0,
    },
    {
      title: "Complete seus dados bancários",
      hint: "Para onde vão os seus saques.",
      to: "/profile",
      isDone: hasBankData,
    },
    {
      title: "Receba o primeiro pagamento",
      hint: "A confirmação aparece aqui na hora.",
      to: "/transactions",
      isDone: payments > 0,
    },
    {
      title: "Faça o primeiro saque",
      hint: "Do saldo para a sua conta.",
      to: "/withdrawals",
      isDone: withdrawals > 0,
    },
  ]
}
