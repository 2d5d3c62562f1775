/** A few rows that hold the words, and never how many there are. */
export interface SearchFor {
  words: string
  atMost: number
  /** Without one: anybody's. */
  sellerId?: string | undefined
}
