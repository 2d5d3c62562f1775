export function checkoutPath(link: string): string {
  return `/checkout/${encodeURIComponent(link)}`
}
