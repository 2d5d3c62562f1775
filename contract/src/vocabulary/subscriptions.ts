import { type Day, dayAfter } from "./due-amount.ts"
import { monthsAfter } from "./invoices.ts"

export const subscriptionStatusLabels = {
  active: "Ativa",
  past_due: "Em atraso",
  paused: "Pausada",
  completed: "Concluída",
  cancelled: "Cancelada",
} as const
export type SubscriptionStatus = keyof typeof subscriptionStatusLabels
export const subscriptionStatuses = /* @__PURE__ */ Object.keys(subscriptionStatusLabels) as SubscriptionStatus[]

/** Each is charged, or will be again. */
export function isLive(status: SubscriptionStatus): boolean {
  return status !== "completed" && status !== "cancelled"
}

export const subscriptionPeriodLabels = {
  weekly: "Toda semana",
  monthly: "Todo mês",
  quarterly: "A cada 3 meses",
  half_yearly: "A cada 6 meses",
  yearly: "Todo ano",
} as const
export type SubscriptionPeriod = keyof typeof subscriptionPeriodLabels
export const subscriptionPeriods = /* @__PURE__ */ Object.keys(subscriptionPeriodLabels) as SubscriptionPeriod[]

/** As it follows an amount: 'R$ 49,90 por mês'. */
export const perPeriod = {
  weekly: "por semana",
  monthly: "por mês",
  quarterly: "a cada 3 meses",
  half_yearly: "a cada 6 meses",
  yearly: "por ano",
} as const satisfies Record<SubscriptionPeriod, string>

/** `automatic`: a mandate debits each cycle; whatever fails is paid by the link, as any invoice. */
export const subscriptionMethods = ["invoice", "automatic"] as const
export type SubscriptionMethod = (typeof subscriptionMethods)[number]

export const planStatuses = ["active", "archived"] as const

export const SUBSCRIPTION_TITLE_MAX = 100
export const MOST_CYCLES = 600

/** A cycle's invoice comes so many days before its due day, and never before the cycle before it was due. */
export const mostLeadDays = {
  weekly: 6,
  monthly: 27,
  quarterly: 60,
  half_yearly: 60,
  yearly: 60,
} as const satisfies Record<SubscriptionPeriod, number>

const USUAL_LEAD_DAYS = 10

/** A debit is at the bank by noon of the third day before. */
export const FEWEST_LEAD_DAYS_OF_DEBITS = 4

export function usualLeadDays(period: SubscriptionPeriod): number {
  return Math.min(USUAL_LEAD_DAYS, mostLeadDays[period])
}

const months = { monthly: 1, quarterly: 3, half_yearly: 6, yearly: 12 } as const

/** The due day `position` periods after the first one: the 31st is the last day of a short month, and the 31st again after it. */
export function cycleDayOf(period: SubscriptionPeriod, firstDueDay: Day, position: number): Day {
  if (period === "weekly") return dayAfter(firstDueDay, 7 * position)
  return monthsAfter(firstDueDay, months[period] * position)
}
