import type { SettingsBook } from "./settings-book.ts"

export type BankClock = {
  now(): number
  /** How far it runs ahead of this machine's clock. */
  aheadMs(): number
  setAhead(aheadMs: number): void
}

/** The bank's own time: what ends an hour from now can be waited for by moving the clock. */
export function openBankClock(settings: SettingsBook, machineNow: () => number = Date.now): BankClock {
  let aheadMs = Number(settings.find("clockAheadMs") ?? 0)
  return {
    now: () => machineNow() + aheadMs,
    aheadMs: () => aheadMs,
    setAhead(next) {
      aheadMs = next
      settings.store("clockAheadMs", String(next))
    },
  }
}
