import type { Schema } from "#db/schema"

export type RetentionSubject = Schema["retention_marks"]["subject"]

/** The last row that was read. The moment is text, as the database has it: with microseconds, or `-infinity`. */
export interface Mark {
  moment: string
  id: string
}
