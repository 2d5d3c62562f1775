import { statusesWith } from "./status-facts.ts"

export const chargePageStatuses = ["active", "completed", "expired", "cancelled"] as const
export type ChargePageStatus = (typeof chargePageStatuses)[number]

/** A page with a link of its own, or one that the API made for a single charge. */
export const chargePageKinds = ["page", "single"] as const
export type ChargePageKind = (typeof chargePageKinds)[number]

/** A new status doesn't compile until these are decided. */
const chargePageFacts = {
  active: { isPayable: true, isVisible: true, isEditable: true },
  completed: { isPayable: false, isVisible: true, isEditable: false },
  expired: { isPayable: false, isVisible: false, isEditable: true },
  cancelled: { isPayable: false, isVisible: false, isEditable: false },
} as const satisfies Record<ChargePageStatus, Record<"isPayable" | "isVisible" | "isEditable", boolean>>

/** A page that can be paid can also be cancelled, and may expire. */
export const payablePageStatuses = /* @__PURE__ */ statusesWith(chargePageFacts, "isPayable")

export function isPayablePage(status: ChargePageStatus): boolean {
  return chargePageFacts[status].isPayable
}

/** Payers see the page; any other counts as nonexistent. */
export function isVisiblePage(status: ChargePageStatus): boolean {
  return chargePageFacts[status].isVisible
}

export function isEditablePage(status: ChargePageStatus): boolean {
  return chargePageFacts[status].isEditable
}

export const chargePageStatusLabels = {
  active: "Ativa",
  completed: "Concluída",
  expired: "Expirada",
  cancelled: "Cancelada",
} as const satisfies Record<ChargePageStatus, string>
