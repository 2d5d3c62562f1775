import { createStoredSwitch } from "#ui/stored-switch.ts"

export const hidesFirstSteps = createStoredSwitch("first-steps-hidden")
export const hasSharedLink = createStoredSwitch("link-shared")

export function rememberShared(): void {
  if (!hasSharedLink.isOn()) hasSharedLink.toggle()
}
