import type { Bank } from "./bank.ts"
import type { Occasion } from "./fault-rules.ts"
import { Problem, type ProblemType } from "./problem.ts"

/** Fault: some banks refuse a repeated request instead of answering it as before. */
export function refuseRepeated(bank: Bank, type: ProblemType, occasion: Occasion): void {
  if (bank.faultRules.strike("repetido-409", { ...occasion, method: "PUT" }) === undefined) return
  throw new Problem(type, 409, "O identificador informado já está em uso.")
}
