export type ToastKind = "success" | "error" | "info"

export interface Toast {
  id: number
  kind: ToastKind
  title: string
  detail?: string | undefined
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function become(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** A repeated message replaces its earlier toast. */
function show(kind: ToastKind, title: string, detail?: string): void {
  lastId += 1
  const others = toasts.filter((shown) => shown.title !== title || shown.detail !== detail)
  become([...others.slice(-2), { id: lastId, kind, title, detail }])
}

export const toast = {
  success: (title: string, detail?: string) => show("success", title, detail),
  error: (title: string, detail?: string) => show("error", title, detail),
  info: (title: string, detail?: string) => show("info", title, detail),
}

export function dismissToast(id: number): void {
  become(toasts.filter((shown) => shown.id !== id))
}

export function currentToasts(): readonly Toast[] {
  return toasts
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
