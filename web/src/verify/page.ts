import { receiptIn } from "@tilinta/contract/proofs/receipt-text"
import { documentText } from "@tilinta/contract/vocabulary/typed-data"
import { formatDateTime } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { check, type Outcome, type ShownFacts } from "./check-receipt.ts"
import { cardOf, element, part, showResult } from "./parts.ts"
import { openQrReader, type ReadQr } from "./qr-reader.ts"
import { verifyTexts } from "./verify-texts.ts"

const form = part("form", HTMLFormElement)
const field = part("receipt", HTMLTextAreaElement)
const result = part("result", HTMLElement)
const cameraButton = part("camera", HTMLButtonElement)
const video = part("video", HTMLVideoElement)
const pictureLabel = part("picture-label", HTMLElement)
const picture = part("picture", HTMLInputElement)

let requests = 0

async function verify(pasted: string): Promise<void> {
  const receipt = receiptIn(pasted)
  if (receipt === "") {
    show(verifyTexts.empty)
    field.focus()
    return
  }
  requests += 1
  const turn = requests
  show(verifyTexts.checking)
  const outcome = await check(receipt)
  // Only the last one is answered: two scans may overtake each other.
  if (turn === requests) showOutcome(outcome)
}

function show(text: string): void {
  result.replaceChildren(element("p", text))
}

function showOutcome({ told, facts }: Outcome): void {
  showResult(result, cardOf(told, ...(facts === null ? [] : [listOf(facts)])))
}

function listOf(facts: ShownFacts): HTMLElement {
  const { amount, receiver, receiverDocument, paidAt, endToEndId, payerCpf, payerCnpj, refundedAmount } = facts
  const { facts: terms } = verifyTexts
  const list = element("dl", "")
  const add = (term: string, value: string) => {
    const line = element("div", "")
    line.append(element("dt", term), element("dd", value))
    list.append(line)
  }
  add(terms.amount, formatReais(amount))
  add(terms.receiver, receiver)
  if (receiverDocument !== null) add(terms.receiverDocument, documentText(receiverDocument))
  add(terms.paidAt, formatDateTime(paidAt))
  add(terms.endToEndId, endToEndId)
  if (payerCpf !== null) add(terms.payerCpf, payerCpf)
  if (payerCnpj !== null) add(terms.payerCnpj, payerCnpj)
  if (refundedAmount > 0) add(terms.refundedAmount, formatReais(refundedAmount))
  return list
}

function offerReader(readQr: ReadQr): void {
  let stop: AbortController | null = null
  cameraButton.hidden = !("mediaDevices" in navigator)
  pictureLabel.hidden = false

  cameraButton.addEventListener("click", () => {
    if (stop === null) void open()
    else stop.abort()
  })
  picture.addEventListener("change", () => void readPicture())

  async function open(): Promise<void> {
    stop = new AbortController()
    cameraButton.textContent = verifyTexts.stopCamera
    video.hidden = false
    try {
      const text = await readFromCamera(video, readQr, stop.signal)
      if (text !== null) await take(text)
    } catch {
      show(verifyTexts.cameraRefused)
    } finally {
      stop = null
      video.hidden = true
      cameraButton.textContent = verifyTexts.startCamera
    }
  }

  async function readPicture(): Promise<void> {
    const file = picture.files?.[0]
    if (file === undefined) return
    const text = await createImageBitmap(file)
      .then(readQr)
      .catch(() => null)
    picture.value = ""
    if (text === null) show(verifyTexts.nothingInPicture)
    else await take(text)
  }
}

async function take(text: string): Promise<void> {
  field.value = receiptIn(text)
  await verify(text)
}

function takeFromAddress(): void {
  const { hash, search } = location
  const sent = hash.length > 1 ? hash : (new URLSearchParams(search).get("r") ?? "")
  if (sent !== "") void take(sent.replace(/^#/, ""))
}

form.addEventListener("submit", (event) => {
  event.preventDefault()
  void verify(field.value)
})
addEventListener("hashchange", takeFromAddress)
takeFromAddress()
void openQrReader().then(offerReader)
// Without https there is none, and the page works only with a network.
void navigator.serviceWorker?.register("/verificar/worker.js", { scope: "/verificar", type: "module" }).catch(() => {})

const scanEveryMs = 200

/** Shows the camera until it sees a code, which it returns, or until it is stopped: then null. Throws when it isn't allowed. */
async function readFromCamera(video: HTMLVideoElement, readQr: ReadQr, stopped: AbortSignal): Promise<string | null> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" }, audio: false })
  try {
    video.srcObject = stream
    await video.play()
    while (!stopped.aborted) {
      const text = await readQr(video)
      if (text !== null) return text
      await new Promise((resolve) => setTimeout(resolve, scanEveryMs))
    }
    return null
  } finally {
    for (const track of stream.getTracks()) track.stop()
    video.srcObject = null
  }
}
