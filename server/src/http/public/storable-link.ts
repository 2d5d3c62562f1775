/** What can be asked of the database; anything else is no link of ours. */
export function isStorableLink(link: string): boolean {
  return link.length <= 200 && link.isWellFormed() && !link.includes("\0")
}
