import { useSyncExternalStore } from "react"

interface StoredSwitch {
  isOn(): boolean
  toggle(): void
  use(): boolean
}

/** Off by default; stored on this device and synced to its other tabs. */
export function createStoredSwitch(storageKey: string): StoredSwitch {
  const listeners = new Set<() => void>()
  let on: boolean | null = null

  function isOn(): boolean {
    on ??= read()
    return on
  }

  function read(): boolean {
    try {
      return localStorage.getItem(storageKey) === "on"
    } catch {
      return false
    }
  }

  function become(next: boolean | null): void {
    on = next
    for (const listener of listeners) listener()
  }

  function hearOtherTabs(event: StorageEvent): void {
    if (event.key === storageKey || event.key === null) become(null)
  }

  function subscribe(listener: () => void): () => void {
    if (listeners.size === 0) window.addEventListener("storage", hearOtherTabs)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) window.removeEventListener("storage", hearOtherTabs)
    }
  }

  return {
    isOn,
    toggle() {
      become(!isOn())
      try {
        if (isOn()) localStorage.setItem(storageKey, "on")
        else localStorage.removeItem(storageKey)
      } catch {}
    },
    use: () => useSyncExternalStore(subscribe, isOn),
  }
}
