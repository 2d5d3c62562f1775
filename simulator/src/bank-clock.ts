import type { SettingsBook } from "./settings-book.ts"

export type BankClock = {
  now(): number
  /** Offset ahead of this machine's clock. */
  aheadMs(): number
  setAhead(aheadMs: number): void
}

/** The bank's own clock: a test moves it forward instead of waiting an hour. */
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
