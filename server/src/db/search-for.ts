/** A few rows that contain the words, without a count. */
export interface SearchFor {
  words: string
  atMost: number
  /** Any seller's when absent. */
  sellerId?: string | undefined
}
