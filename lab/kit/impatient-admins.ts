import { setTimeout as sleep } from "node:timers/promises"

export interface ReportFigures {
  answered: number
  /** 503 with Retry-After. */
  refused: number
  /** All other failures. */
  failed: number
  /** The server's message. */
  message: string
}

const paths = [
  "/api/v1/admin/reports/summary",
  "/api/v1/admin/reports/top-users",
  "/api/v1/admin/transactions?search=mentoria",
  "/api/v1/admin/audit-records",
  "/api/v1/admin/transactions/export",
]

/** Admins who request reports and exports one after another, ignoring Retry-After. */
export function askForReports({ url, token, admins }: { url: string; token: string; admins: number }) {
  const figures: ReportFigures = { answered: 0, refused: 0, failed: 0, message: "" }
  let isOver = false

  async function ask(path: string): Promise<void> {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    if (response.status === 503 && response.headers.has("retry-after")) {
      figures.refused += 1
      figures.message = ((await response.json()) as { message: string }).message
    } else {
      for await (const _chunk of response.body ?? []) if (isOver) break
      // Only a few exports run at once, under any load, so 429 is no failure.
      if (response.ok) figures.answered += 1
      else if (response.status !== 429) figures.failed += 1
    }
  }

  async function insist(first: number): Promise<void> {
    for (let each = first; !isOver; each += 1) {
      await ask(paths[each % paths.length] ?? "").catch(() => {
        figures.failed += 1
      })
      await sleep(100)
    }
  }

  const all = Array.from({ length: admins }, (_, first) => insist(first))
  return {
    async stop(): Promise<ReportFigures> {
      isOver = true
      await Promise.all(all)
      return figures
    },
  }
}

/** Seconds until a report is answered again. */
export async function secondsUntilReport({ url, token }: { url: string; token: string }): Promise<number> {
  const begin = performance.now()
  const isAnswered = async () =>
    (await fetch(`${url}/api/v1/admin/reports/summary`, { headers: { authorization: `Bearer ${token}` } })).ok
  while (!(await isAnswered())) await sleep(100)
  return (performance.now() - begin) / 1000
}
