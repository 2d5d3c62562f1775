export const chargePageStatuses = ["active", "completed", "expired", "cancelled"] as const
export type ChargePageStatus = (typeof chargePageStatuses)[number]

export const chargePageStatusLabels = {
  active: "Ativa",
  completed: "Concluída",
  expired: "Expirada",
  cancelled: "Cancelada",
} as const satisfies Record<ChargePageStatus, string>
