/** The link that the seller shares: the site's origin and the page's own link. */
export function publicLinkOf(uniqueLink: string): string {
  return `${window.location.origin}/checkout/${uniqueLink}`
}

/** For display, without the protocol. */
export function shortLinkOf(uniqueLink: string): string {
  return `${window.location.host}/checkout/${uniqueLink}`
}
