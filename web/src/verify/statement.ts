import { checkStatement } from "@tilinta/contract/proofs/check-statement"
import { readVerifierKeys } from "@tilinta/contract/proofs/checkpoint"
import { cardOf, element, part, showResult } from "./parts.ts"
import { provedStatement, statementTexts, statementVerdicts, type Verdict } from "./verify-texts.ts"

const form = part("form", HTMLFormElement)
const file = part("file", HTMLInputElement)
const checkpoint = part("checkpoint", HTMLTextAreaElement)
const key = part("key", HTMLTextAreaElement)
const result = part("result", HTMLElement)
const answerMs = 8_000
const mostProblems = 20

/** Null where it can't be had: without a network, or before the first checkpoint. */
async function fetchText(path: string): Promise<string | null> {
  try {
    const reply = await fetch(`/.well-known/tilinta/${path}`, { signal: AbortSignal.timeout(answerMs) })
    return reply.ok ? await reply.text() : null
  } catch {
    return null
  }
}

/** A field that was filled in is left alone: its text comes from elsewhere, a mail or a note of last year. */
async function offerOwn(field: HTMLTextAreaElement, path: string): Promise<void> {
  const text = await fetchText(path)
  if (text !== null && field.value === "") field.value = text
}

interface Outcome {
  told: Verdict
  problems: readonly string[]
}

async function verify(chosen: File): Promise<Outcome> {
  const csv = await chosen.text()
  const keys = await readVerifierKeys(key.value)
  const note = `${checkpoint.value.replaceAll("\r\n", "\n").trim()}\n`
  const first = await checkStatement({ csv, note, keys, consistency: null })
  if (!first.hasProofs) return { told: statementVerdicts.plain, problems: [] }
  if (first.problems.length > 0) return { told: statementVerdicts.refused, problems: first.problems }
  if (first.isLinked) return { told: provedStatement(first.lines, true), problems: [] }
  const { own, given } = first.sizes
  const hashes = await fetchText(`consistency?from=${Math.min(own, given)}&to=${Math.max(own, given)}`)
  if (hashes === null) return { told: provedStatement(first.lines, false), problems: [] }
  const consistency = hashes.split("\n").filter((line) => line !== "")
  const linked = await checkStatement({ csv, note, keys, consistency })
  if (linked.problems.length > 0) return { told: statementVerdicts.refused, problems: linked.problems }
  return { told: provedStatement(linked.lines, true), problems: [] }
}

async function answer(): Promise<void> {
  const chosen = file.files?.[0]
  if (chosen === undefined) {
    result.replaceChildren(element("p", statementTexts.noFile))
    file.focus()
    return
  }
  result.replaceChildren(element("p", statementTexts.checking))
  const { told, problems } = await verify(chosen).catch(() => ({ told: statementVerdicts.unable, problems: [] }))
  showResult(result, cardOf(told, ...(problems.length === 0 ? [] : [listOf(problems)])))
}

function listOf(problems: readonly string[]): HTMLElement {
  const list = element("ul", "")
  const shown = problems.slice(0, mostProblems)
  list.append(...shown.map((problem) => element("li", problem)))
  const more = problems.length - shown.length
  if (more > 0) list.append(element("li", statementTexts.more(more)))
  return list
}

form.addEventListener("submit", (event) => {
  event.preventDefault()
  void answer()
})
void offerOwn(checkpoint, "checkpoint")
void offerOwn(key, "checkpoint.pub")
// Without https there is none, and the page works only with a network.
void navigator.serviceWorker?.register("/verificar/worker.js", { scope: "/verificar", type: "module" }).catch(() => {})
