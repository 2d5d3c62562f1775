/** What the seller hands out: the site's origin and the page's own link. */
export function publicLinkOf(uniqueLink: string): string {
  return `${window.location.origin}/checkout/${uniqueLink}`
}

/** For the eye: without the protocol. */
export function shortLinkOf(uniqueLink: string): string {
  return `${window.location.host}/checkout/${uniqueLink}`
}
