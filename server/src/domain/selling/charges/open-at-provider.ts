import type { Logger } from "pino"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { createRecentMap } from "#kit/recent-map"
import { type Psp, PspError } from "#psp/psp"
import type { AskedCharge, OpenCharge } from "./charge.ts"
import type { ChargeSteps } from "./charge-steps.ts"
import { oddNamesOf, problemOfPixCode } from "./check-pix-code.ts"
import { asOpen } from "./open-charges.ts"

export interface ProviderDeps {
  chargeSteps: ChargeSteps
  psp: Psp
  clock: Clock
  log: Logger
}

/**
 * Gets the code of a stored charge, unless it has one already. Null when the page was closed meanwhile. The provider is
 * called between two transactions: no lock ever waits for the network.
 */
export async function openAtProvider(deps: ProviderDeps, charge: AskedCharge): Promise<OpenCharge | null> {
  if (charge.status !== "creating") return asOpen(charge)
  const pixCode = await askProvider(deps, charge)
  return deps.chargeSteps.open({ charge, pixCode, now: deps.clock.now() })
}

async function askProvider(deps: ProviderDeps, charge: AskedCharge): Promise<string> {
  // Computed from the creation time, so that a retried request is identical.
  const expiresInSeconds = Math.floor((charge.expiresAt.getTime() - charge.createdAt.getTime()) / 1000)
  if (expiresInSeconds < 1) throw new DomainError("public_charge_page_not_found")
  const pixCode = await requestPixCode(deps, charge, expiresInSeconds)
  const problem = problemOfPixCode(pixCode, charge.amountCents)
  if (problem === null) {
    warnOfOddNames(deps.log, pixCode)
    return pixCode
  }
  deps.log.error({ alarm: "bad_pix_code", chargeId: charge.id, problem }, "refused the provider's code")
  await giveUp(deps, charge, "due")
  throw new DomainError("psp_unavailable")
}

const warned = createRecentMap<string, true>(16)

/** Once for each kind, because all codes of a bank are alike. */
function warnOfOddNames(log: Logger, pixCode: string): void {
  const odd = oddNamesOf(pixCode).join(" ")
  if (odd === "" || warned.get(odd) === true) return
  warned.set(odd, true)
  log.warn(
    { odd },
    "the provider writes the receiver's name or city against the manual; its codes are shown all the same",
  )
}

async function requestPixCode(deps: ProviderDeps, charge: AskedCharge, expiresInSeconds: number): Promise<string> {
  try {
    const { pixCode } = await deps.psp.createCharge({
      txid: charge.txid,
      amountCents: charge.amountCents,
      expiresInSeconds,
      description: charge.pageTitle,
    })
    return pixCode
  } catch (error) {
    if (!(error instanceof PspError)) throw error
    deps.log.error({ err: error, chargeId: charge.id, failure: error.failure }, "the provider made no charge")
    // After 'unknown' the same key may retry under the same txid; a job ends charges that nobody finishes.
    if (error.failure !== "unknown") await giveUp(deps, charge, error.failure === "rejected" ? "due" : "none")
    throw new DomainError("psp_unavailable", { cause: error })
  }
}

async function giveUp(deps: ProviderDeps, charge: AskedCharge, removal: "none" | "due"): Promise<void> {
  await deps.chargeSteps.giveUp({ id: charge.id, pageId: charge.pageId, removal, now: deps.clock.now() })
}
