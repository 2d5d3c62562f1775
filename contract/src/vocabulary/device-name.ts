const browsers = [
  { name: "Edge", pattern: /\bEdg(?:e|A|iOS)?\// },
  { name: "Opera", pattern: /\b(?:OPR|Opera)\// },
  { name: "Samsung Internet", pattern: /\bSamsungBrowser\// },
  { name: "Firefox", pattern: /\b(?:Firefox|FxiOS)\// },
  { name: "Chrome", pattern: /\b(?:Chrome|CriOS|Chromium)\// },
  { name: "Safari", pattern: /\bVersion\/.*\bSafari\// },
] as const

const systems = [
  { name: "Android", pattern: /\bAndroid\b/ },
  { name: "iPhone", pattern: /\biPhone\b/ },
  { name: "iPad", pattern: /\biPad\b/ },
  { name: "Windows", pattern: /\bWindows\b/ },
  { name: "macOS", pattern: /\bMac OS X\b/ },
  { name: "Linux", pattern: /\bLinux\b/ },
] as const

/** Enough for people to recognise their own devices. The order matters, because user agents name each other. */
export function deviceName(userAgent: string | null | undefined): string {
  const text = userAgent ?? ""
  const browser = browsers.find(({ pattern }) => pattern.test(text))?.name
  const system = systems.find(({ pattern }) => pattern.test(text))?.name
  if (browser !== undefined && system !== undefined) return `${browser} no ${system}`
  return browser ?? system ?? "Dispositivo desconhecido"
}
