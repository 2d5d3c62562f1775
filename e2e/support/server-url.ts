/** Set by the global setup and inherited by the workers. */
export const serverUrlVariable = "TILINTA_E2E_URL"

export function sharedServerUrl(): string {
  const url = process.env[serverUrlVariable]
  if (url === undefined) throw new Error(`${serverUrlVariable} is missing: the global setup did not run`)
  return url
}
