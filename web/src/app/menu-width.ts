export type MenuWidth = "auto" | "full" | "rail"

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

/** The other of the two, seen from what is on the screen: the width alone decides until somebody chose. */
export function nextMenuWidth(shownPx: number): MenuWidth {
  return shownPx > railPx ? "rail" : "full"
}
