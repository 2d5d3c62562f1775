import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react"

const busy = "input:not([type=checkbox]), textarea, select, dialog"

/** Runs the action on a single key, except while typing or while a dialog is open. A key that is held down runs it once. */
export function useShortcut(key: string, act: () => void): void {
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      // Space presses the button that has the focus.
      const selector = key === " " ? `${busy}, button, a, summary, input` : busy
      const writes = event.target instanceof Element && event.target.closest(selector) !== null
      if (event.key !== key || event.repeat || writes || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      act()
    }
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  }, [key, act])
}

/** As the styles' `touch`. */
export function isTouch(): boolean {
  return matchMedia("(hover: none)").matches
}

/** The element's width in pixels, kept current; 0 before it is known. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}

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
