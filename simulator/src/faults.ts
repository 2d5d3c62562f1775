import { z } from "zod"
import type { SettingsBook } from "./settings-book.ts"

export const faultSwitches = z.strictObject({
  webhooksAtivos: z.boolean(),
  atrasoMs: z.int().min(0).max(600_000),
  falhaApi: z.enum(["indisponivel", "timeout-apos-aceitar", "timeout-antes"]).nullable(),
  /** Every payout is refused, definitively. */
  pagamentosRecusados: z.boolean(),
  /** Every refund that a client asks for is refused, definitively. */
  devolucoesRecusadas: z.boolean(),
  /** Time that a payout or a refund stays under way. */
  liquidacaoMs: z.int().min(0).max(600_000),
})

export type FaultSwitches = z.infer<typeof faultSwitches>

const allWell: FaultSwitches = {
  webhooksAtivos: true,
  atrasoMs: 0,
  falhaApi: null,
  pagamentosRecusados: false,
  devolucoesRecusadas: false,
  liquidacaoMs: 300,
}

export type Faults = {
  current(): FaultSwitches
  change(changes: Partial<FaultSwitches>): FaultSwitches
}

/** The fault switches of the bank, kept across restarts. */
export function openFaults(settings: SettingsBook): Faults {
  const stored = settings.find("faults")
  let current = stored === undefined ? allWell : { ...allWell, ...(JSON.parse(stored) as Partial<FaultSwitches>) }
  return {
    current: () => current,
    change(changes) {
      current = { ...current, ...changes }
      settings.store("faults", JSON.stringify(current))
      return current
    },
  }
}
