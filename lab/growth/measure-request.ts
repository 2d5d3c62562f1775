import { openRecorder, type Statement } from "../recorded-statements.ts"
import { download } from "../seeded-server.ts"
import { timed, timingsOf } from "../timings.ts"
import type { MeasuredRequest, Place } from "./measured-requests.ts"

export interface RequestFigures {
  /** Database pages that its statements read, cached or not. */
  buffers: number
  /** Median duration of the request over HTTP. */
  ms: number
}

/** Stop after this time: slow requests need fewer calls. */
const enoughMs = 1_500

export async function measureRequest(
  request: MeasuredRequest,
  places: readonly Place[],
  calls: number,
): Promise<RequestFigures[]> {
  const prepared = await Promise.all(places.map((place) => prepare(request, place)))
  const durations: number[][] = prepared.map(() => [])
  for (const { call } of prepared) await call()
  const begin = performance.now()
  for (let round = 0; round < calls; round += 1) {
    for (const [index, { call }] of prepared.entries()) durations[index]?.push(await timed(call))
    if (performance.now() - begin > enoughMs * places.length) break
  }
  return prepared.map(({ buffers }, index) => ({ buffers, ms: timingsOf(durations[index] ?? []).p50 }))
}

async function prepare(request: MeasuredRequest, place: Place) {
  const url = place.server.process.url + (await request.path(place))
  const { token } = place.server[request.as]
  let buffers = 0
  for (const statement of await statementsOf(request, place)) buffers += await buffersOf(statement, place)
  const call = async () => {
    const { status } = await download(url, token)
    if (status !== 200 && status !== 503) throw new Error(`${url} answered ${status}`)
    if (status === 503) console.log(`${request.name}: gave up (503)`)
  }
  return { buffers, call }
}

/**
 * The request's statements from a warm server, whose name cache is filled, unless the request asks for a cold one. The
 * session lookup that every request begins with is left out.
 */
export async function statementsOf(request: MeasuredRequest, place: Place): Promise<Statement[]> {
  const { server } = place
  const path = await request.path(place)
  const recorder = request.isFirst ? await openRecorder(server.databaseUrl) : place.recorder
  const ask = () => recorder.statementsOf(path, server[request.as].token)
  if (!request.isFirst) await ask()
  const statements = await ask()
  if (request.isFirst) await recorder.close()
  return statements.filter(({ text }) => !text.includes('"sessions"'))
}

interface Plan {
  "Shared Hit Blocks": number
  "Shared Read Blocks": number
}

/** The second run counts: the first of a session reads the catalogs, too. */
export async function buffersOf({ text, values }: Statement, { recorder }: Place): Promise<number> {
  const explain = { text: `explain (analyze, buffers, format json) ${text}`, values }
  await recorder.run(explain)
  const explained = await recorder.run(explain)
  const [row] = explained as { "QUERY PLAN": [{ Plan: Plan }] }[]
  const plan = row?.["QUERY PLAN"][0].Plan
  return plan === undefined ? 0 : plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
}
