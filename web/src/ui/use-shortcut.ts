import { useEffect } from "react"

const busy = "input:not([type=checkbox]), textarea, select, dialog"

/** Runs the action on a single key, except while typing or while a dialog is open. */
export function useShortcut(key: string, act: () => void): void {
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      const writes = event.target instanceof Element && event.target.closest(busy) !== null
      if (event.key !== key || writes || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      act()
    }
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  }, [key, act])
}
