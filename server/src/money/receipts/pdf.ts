import type { Readable } from "node:stream"
import { type Cents, reaisText } from "@tilinta/contract/vocabulary/money"
import { documentName, documentText } from "@tilinta/contract/vocabulary/typed-data"
import { type Typesetter, typesetter } from "#kit/letters"
import { darkRuns, qrModules, quietModules } from "#kit/qr-code"
import { momentText } from "#platform/mails/mail-content"
import type { Receipt } from "./receipt.ts"

interface Facts {
  receipt: Receipt
  platformName: string
  verifyUrl: string
}

type Page = PDFKit.PDFDocument

const margin = 48
const labelWidth = 130
const qrSide = 170

export async function receiptPdf({ receipt, platformName, verifyUrl }: Facts): Promise<Readable> {
  const { amountCents } = receipt
  const lines = receiptLines(receipt)
  const { document, width } = await openReceipt({ title: "Comprovante", amountCents, platformName, lines })
  drawQr(document, {
    text: verifyUrl,
    width,
    note: "Aponte a câmera do celular para conferir se este comprovante é verdadeiro e se o valor foi estornado depois.",
  })
  document.end()
  return document
}

interface Opening {
  title: string
  amountCents: Cents
  platformName: string
  lines: readonly ReceiptLine[]
}

/** One page, which is still to be ended. Loads the library: few ask for it. */
export async function openReceipt(opening: Opening): Promise<{ document: Page; width: number }> {
  const { title, amountCents, platformName, lines } = opening
  const { default: Document } = await import("pdfkit")
  const amount = reaisText(amountCents)
  const info = { Title: `${title} de ${amount}`, Author: platformName }
  const document = new Document({ size: "A5", margin, lang: "pt-BR", info })
  const set = await typesetter(document)
  const width = document.page.width - 2 * margin
  document.fontSize(10).fillColor("#444444").text(set(platformName), margin, margin)
  document.font("Helvetica-Bold").fontSize(22).fillColor("black").text(title, { paragraphGap: 2 })
  document.fontSize(26).text(amount, { paragraphGap: 10 })
  for (const line of lines) writeLine(document, { ...line, width, set })
  return { document, width }
}

export interface ReceiptLine {
  label: string
  value: string
  /** Set for ids, which people pass on: what the copy button says. */
  copied?: string
}

/** Also what the page shows. */
export function receiptLines(receipt: Receipt): ReceiptLine[] {
  const { transactionId, title, receiver, receiverDocument, paidAt, endToEndId, payerCpf, payerCnpj, refunds } = receipt
  return [
    { label: "Para", value: receiver },
    ...(receiverDocument === null
      ? []
      : [{ label: documentName(receiverDocument), value: documentText(receiverDocument) }]),
    { label: "Pago em", value: momentText(paidAt.toISOString()) },
    { label: "Descrição", value: title },
    { label: "Método", value: "PIX" },
    ...(payerCpf === null ? [] : [{ label: "CPF de quem pagou", value: payerCpf }]),
    ...(payerCnpj === null ? [] : [{ label: "CNPJ de quem pagou", value: payerCnpj }]),
    { label: "ID da transação", value: transactionId, copied: "ID da transação copiado!" },
    { label: "ID do Pix (endToEndId)", value: endToEndId, copied: "ID do Pix copiado!" },
    ...refunds.flatMap(({ amountCents, processedAt, returnId }) => [
      { label: "Estornado", value: `${reaisText(amountCents)} em ${momentText(processedAt.toISOString())}` },
      ...(returnId === null ? [] : [{ label: "ID do estorno", value: returnId, copied: "ID do estorno copiado!" }]),
    ]),
  ]
}

interface Line extends ReceiptLine {
  width: number
  set: Typesetter
}

function writeLine(document: Page, { label, value, width, set }: Line): void {
  const top = document.y + 4
  document.font("Helvetica").fontSize(9.5).fillColor("#444444").text(label, margin, top, { width: labelWidth })
  const afterLabel = document.y
  document
    .fillColor("black")
    .text(set(value), margin + labelWidth, top, { width: width - labelWidth })
    .text("", margin, Math.max(afterLabel, document.y), { lineBreak: false })
}

/** Below the lines, with its note at its side. The margin of the page is the code's quiet zone. */
export function drawQr(document: Page, { text, note, width }: { text: string; note: string; width: number }): void {
  document.moveDown(0.8)
  if (document.y + qrSide > document.page.height - margin) document.addPage()
  const top = document.y
  const modules = qrModules(text, "M")
  const module = qrSide / (modules.length - 2 * quietModules)
  for (const { row, column, length } of darkRuns(modules))
    document.rect(
      margin + (column - quietModules) * module,
      top + (row - quietModules) * module,
      length * module,
      module,
    )
  document.fill("black")
  document.font("Helvetica").fontSize(9).fillColor("#444444")
  document.text(note, margin + qrSide + 14, top + 8, { width: width - qrSide - 14 })
}
