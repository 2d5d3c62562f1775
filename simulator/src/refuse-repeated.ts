import type { Bank } from "./bank.ts"
import type { Occasion } from "./fault-rules.ts"
import { Problem, type ProblemType } from "./problem.ts"

/** Some banks refuse the same request the second time, as if it were another. */
export function refuseRepeated(bank: Bank, type: ProblemType, occasion: Occasion): void {
  if (bank.faultRules.strike("repetido-409", { ...occasion, method: "PUT" }) === undefined) return
  throw new Problem(type, 409, "O identificador informado já está em uso.")
}
