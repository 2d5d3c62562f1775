import { offlineError } from "./api-error.ts"
import { readReply, urlOf } from "./client.ts"
import { saveFile } from "./save-file.ts"
import { currentToken, reportRefusedToken } from "./session-token.ts"

/** Fetches and saves a file: a plain link could not carry the session. */
export async function download(
  path: string,
  query: Record<string, string | undefined>,
  fileName: string,
): Promise<void> {
  const token = currentToken()
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` }
  const response = await fetch(urlOf(path, {}, query), { headers }).catch(() => Promise.reject(offlineError()))
  if (response.status === 401 && token !== null) reportRefusedToken(token)
  if (!response.ok) await readReply(response)
  const file = await response.blob().catch(() => Promise.reject(offlineError()))
  saveFile(file, fileName)
}
