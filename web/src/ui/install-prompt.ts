/** Chromium's offer to install the app, which may be taken up once. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>
}

let kept: InstallPrompt | null = null

/** By then a seller, or who stands at a counter, knows whether they stay. */
export const installFromSales = 3

/** Call it before the browser asks: it asks once, at any moment. */
export function keepInstallPrompt(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault()
    kept = event as InstallPrompt
  })
}

export function isInstallable(): boolean {
  return kept !== null
}

export async function install(): Promise<void> {
  const prompt = kept
  kept = null
  await prompt?.prompt()
}
