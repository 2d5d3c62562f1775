/** True for text that the database can store; anything else can't be one of our links. */
export function isStorableLink(link: string): boolean {
  return link.length <= 200 && link.isWellFormed() && !link.includes("\0")
}
