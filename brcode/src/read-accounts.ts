import { isRefusal, type Refusal, refuse } from "./refusal.ts"
import { type DataObject, findValue, printableAscii, readDataObjects, type Unit } from "./tlv.ts"

/** The Pix templates of the code: one account (26 to 51), and perhaps a recurrence (80 to 99). */
export type Accounts = {
  merchantAccountTag: string
  gui: string
  key: string | undefined
  url: string | undefined
  infoAdicional: string | undefined
  unreservedTag: string | undefined
  urlRec: string | undefined
  otherArrangements: { tag: string; gui: string }[] | undefined
}

type Template = { tag: string; gui: string; fields: DataObject[] }

export function readAccounts(text: string, objects: DataObject[], unit: Unit): Accounts | Refusal {
  let account: Template | undefined
  let unreserved: Template | undefined
  let otherArrangements: { tag: string; gui: string }[] | undefined
  for (const object of objects) {
    const isAccount = object.tag >= 26 && object.tag <= 51
    if (!isAccount && object.tag < 80) continue
    const template = readTemplate(text, object, unit)
    if (isRefusal(template)) return template
    if (isPix(template.gui)) {
      if ((isAccount ? account : unreserved) !== undefined) return refuse("SEVERAL_PIX")
      if (isAccount) account = template
      else unreserved = template
    } else if (isAccount) {
      otherArrangements ??= []
      otherArrangements.push({ tag: template.tag, gui: template.gui })
    }
  }
  if (account === undefined) return refuse("NOT_PIX")
  return checkAccounts({
    merchantAccountTag: account.tag,
    gui: account.gui,
    key: findValue(text, account.fields, 1),
    url: findValue(text, account.fields, 25),
    infoAdicional: findValue(text, account.fields, 2),
    unreservedTag: unreserved?.tag,
    urlRec: unreserved && findValue(text, unreserved.fields, 25),
    otherArrangements,
  })
}

function readTemplate(text: string, object: DataObject, unit: Unit): Template | Refusal {
  const fields = readDataObjects(text, object.start, object.end, unit)
  if (isRefusal(fields)) return fields
  const gui = findValue(text, fields, 0)
  if (gui === undefined) return refuse("NO_GUI")
  // One changed letter would hide a Pix account as somebody else's.
  if (!printableAscii.test(gui)) return refuse("BAD_CHARACTER")
  return { tag: String(object.tag), gui, fields }
}

/** Lengths need no check: after the GUI, a template of 99 leaves just the 77 that a key or URL may have. */
function checkAccounts(accounts: Accounts): Accounts | Refusal {
  const { key, url, urlRec } = accounts
  if (key !== undefined && url !== undefined) return refuse("KEY_AND_URL")
  if ((key ?? url ?? urlRec) === undefined) return refuse("NO_KEY_NOR_URL")
  return accounts
}

function isPix(gui: string): boolean {
  return gui === "br.gov.bcb.pix" || gui.toLowerCase() === "br.gov.bcb.pix"
}

export type AdditionalData = { txid: string | undefined; brcodeVersion: string | undefined }

/** Field 62 is mandatory in the manual and missing in the field, so nothing here is required. */
export function readAdditionalData(text: string, objects: DataObject[], unit: Unit): AdditionalData | Refusal {
  const template = objects.find(({ tag }) => tag === 62)
  if (template === undefined) return { txid: undefined, brcodeVersion: undefined }
  const fields = readDataObjects(text, template.start, template.end, unit)
  if (isRefusal(fields)) return fields
  const version = fields.find(({ tag }) => tag === 50)
  if (version === undefined) return { txid: findValue(text, fields, 5), brcodeVersion: undefined }
  const versionFields = readDataObjects(text, version.start, version.end, unit)
  if (isRefusal(versionFields)) return versionFields
  const isBrCode = findValue(text, versionFields, 0)?.toUpperCase() === "BR.GOV.BCB.BRCODE"
  return { txid: findValue(text, fields, 5), brcodeVersion: isBrCode ? findValue(text, versionFields, 1) : undefined }
}
