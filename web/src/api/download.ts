import { ApiError, offlineError } from "./api-error.ts"
import { readReply, urlOf } from "./client.ts"
import { saveFile } from "./save-file.ts"
import { currentToken, reportRefusedToken } from "./session-token.ts"
import { askStepUp } from "./step-up.ts"

/** Fetches and saves a file: a plain link could not carry the session. */
export async function download(
  path: string,
  query: Record<string, string | undefined>,
  fileName: string,
): Promise<void> {
  const url = urlOf(path, {}, query)
  const response = await fetchFile(url).catch(async (error: unknown) => {
    const isAsked = error instanceof ApiError && error.code === "step_up_required"
    if (!isAsked || !(await askStepUp(error.methods))) throw error
    return fetchFile(url)
  })
  const file = await response.blob().catch(() => Promise.reject(offlineError()))
  saveFile(file, fileName)
}

async function fetchFile(url: string): Promise<Response> {
  const token = currentToken()
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` }
  const response = await fetch(url, { headers }).catch(() => Promise.reject(offlineError()))
  if (response.status === 401 && token !== null) reportRefusedToken(token)
  if (!response.ok) await readReply(response)
  return response
}
