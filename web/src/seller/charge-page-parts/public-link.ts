import { payersOrigin } from "#format/payers-origin.ts"

/** The link that the seller shares: the payers' origin and the page's own link. */
export function publicLinkOf(uniqueLink: string): string {
  return `${payersOrigin}/checkout/${uniqueLink}`
}

/** For display, without the protocol. */
export function shortLinkOf(uniqueLink: string): string {
  return publicLinkOf(uniqueLink).replace(/^https?:\/\//, "")
}
