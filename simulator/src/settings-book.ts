import type { DatabaseSync } from "node:sqlite"

export type SettingsBook = ReturnType<typeof openSettingsBook>

export function openSettingsBook(db: DatabaseSync) {
  const select = db.prepare("SELECT value FROM settings WHERE name = ?")
  const upsert = db.prepare(
    "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  )
  return {
    find(name: string): string | undefined {
      const row = select.get(name) as { value: string } | undefined
      return row?.value
    },
    store(name: string, value: string): void {
      upsert.run(name, value)
    },
  }
}
