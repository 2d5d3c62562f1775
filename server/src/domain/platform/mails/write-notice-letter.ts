import type { Letter } from "#mail/mail-layout"
import type { NoticeMail } from "./mail-content.ts"

export function writeNoticeLetter(content: NoticeMail, name: string, publicUrl: string): Letter {
  const { subject, text, facts, action, note } = content
  return {
    subject,
    name,
    paragraphs: [text],
    facts,
    action: { label: action.label, url: `${publicUrl}${action.path}` },
    ...(note !== "" && { note }),
  }
}
