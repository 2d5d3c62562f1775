const browsers = [
  { name: "Edge", pattern: /\bEdg(?:e|A|iOS)?\// },
  { name: "Opera", pattern: /\b(?:OPR|Opera)\// },
  { name: "Samsung Internet", pattern: /\bSamsungBrowser\// },
  { name: "Firefox", pattern: /\b(?:Firefox|FxiOS)\// },
  { name: "Chrome", pattern: /\b(?:Chrome|CriOS|Chromium)\// },
  { name: "Safari", pattern: /\bVersion\/.*\bSafari\// },
] as const

const systems = [
  { name: "Android", pattern: /\bAndroid\b/ },
  { name: "iPhone", pattern: /\biPhone\b/ },
  { name: "iPad", pattern: /\biPad\b/ },
  { name: "Windows", pattern: /\bWindows\b/ },
  { name: "macOS", pattern: /\bMac OS X\b/ },
  { name: "Linux", pattern: /\bLinux\b/ },
] as const

/** Enough for people to recognise their own devices. The order matters, because user agents name each other. */
export function deviceName(userAgent: string | null | undefined): string {
  const text = userAgent ?? ""
  const browser = browsers.find(({ pattern }) => pattern.test(text))?.name
  const system = systems.find(({ pattern }) => pattern.test(text))?.name
  if (browser !== undefined && system !== undefined) return `${browser} no ${system}`
  return browser ?? system ?? "Dispositivo desconhecido"
}

export const roles = ["user", "admin"] as const
export type Role = (typeof roles)[number]

export const roleLabels = { user: "Usuário", admin: "Administrador" } as const satisfies Record<Role, string>

/** Proofs other than the password, the best first. A recovery code stands in for a lost one. */
export const secondFactors = ["passkey", "totp", "recovery_code"] as const
export type SecondFactor = (typeof secondFactors)[number]

/** In the middle of a sentence. */
export const secondFactorLabels: Record<SecondFactor, string> = {
  passkey: "chave de acesso (passkey)",
  totp: "aplicativo autenticador",
  recovery_code: "código de recuperação",
}

/** Acts that take effect when a second administrator wants the same. */
export const secondApprovalLabels = {
  "withdrawal.approve": "Aprovar saque",
  "withdrawal.return": "Devolver saque ao saldo",
  "unmatched_payment.accept": "Creditar pagamento a conferir",
  "unmatched_payment.return": "Devolver pagamento a conferir",
  "refund.request": "Estornar transação",
  "dispute.close": "Encerrar contestação",
  "user.create": "Cadastrar administrador",
  "user.change": "Alterar usuário",
  "user.unfreeze": "Descongelar conta",
  "destination.owner": "Dizer de quem é um destino de saque",
  "automatic_pix.allow": "Habilitar Pix Automático",
  "setting.create": "Criar configuração",
  "setting.change": "Alterar configuração",
} as const
export type SecondApprovalAct = keyof typeof secondApprovalLabels
export const secondApprovalActs = /* @__PURE__ */ Object.keys(secondApprovalLabels) as SecondApprovalAct[]

/** A first approval counts for so long. */
export const SECOND_APPROVAL_HOURS = 48

/** New administrators only look for so long, once the installation is older than its first days. */
export const NEW_ADMIN_HOURS = 72
export const FIRST_DAYS = 7

type WantedValue = string | number | boolean | null

/** A field that the act changes, as the second person sees it. */
export interface WantedChange {
  field: string
  before: WantedValue
  after: WantedValue
}

/** The address of an account, in the order of its forms. */
export const addressLabels = {
  zipCode: "CEP",
  street: "Rua",
  number: "Número",
  complement: "Complemento",
  neighborhood: "Bairro",
  city: "Cidade",
  state: "Estado",
} as const

export const emptyAddress = /* @__PURE__ */ Object.fromEntries(
  Object.keys(addressLabels).map((name) => [name, ""]),
) as Record<keyof typeof addressLabels, string>

/** The actions that come before anything else where protection is strict. */
export const requiredActions = ["new_password", "second_factor"] as const
export type RequiredAction = (typeof requiredActions)[number]

/** Whether a user proved to read the mail of their address; relaxed protection asks nobody. */
export const emailStates = ["unasked", "unconfirmed", "confirmed"] as const
export type EmailState = (typeof emailStates)[number]
