type MenuWidth = "auto" | "full" | "rail"

const storageKey = "menu"
const railPx = 80

export function readMenuWidth(): MenuWidth {
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === "full" || stored === "rail" ? stored : "auto"
  } catch {
    return "auto"
  }
}

export function storeMenuWidth(width: MenuWidth): void {
  try {
    localStorage.setItem(storageKey, width)
  } catch {}
}

/** Toggles from the width on the screen, because before a first choice the viewport alone decides. */
export function nextMenuWidth(shownPx: number): MenuWidth {
  return shownPx > railPx ? "rail" : "full"
}
