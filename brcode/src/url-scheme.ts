/** The manual leaves https:// out of the code: the payer's bank adds it. */
export function hasScheme(url: string | undefined): boolean {
  return url !== undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(url)
}
