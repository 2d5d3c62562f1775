import { isRefusal, type Refusal } from "./refusal.ts"
import { type DataObject, findValue, readDataObjects } from "./tlv.ts"

export type AdditionalData = { txid: string | undefined; brcodeVersion: string | undefined }

/** Field 62 is mandatory in the manual and missing in the field, so nothing here is required. */
export function readAdditionalData(text: string, objects: DataObject[]): AdditionalData | Refusal {
  const template = objects.find(({ tag }) => tag === 62)
  if (template === undefined) return { txid: undefined, brcodeVersion: undefined }
  const fields = readDataObjects(text, template.start, template.end)
  if (isRefusal(fields)) return fields
  const version = fields.find(({ tag }) => tag === 50)
  if (version === undefined) return { txid: findValue(text, fields, 5), brcodeVersion: undefined }
  const versionFields = readDataObjects(text, version.start, version.end)
  if (isRefusal(versionFields)) return versionFields
  const isBrCode = findValue(text, versionFields, 0)?.toUpperCase() === "BR.GOV.BCB.BRCODE"
  return {
    txid: findValue(text, fields, 5),
    brcodeVersion: isBrCode ? findValue(text, versionFields, 1) : undefined,
  }
}
