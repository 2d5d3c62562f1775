import { expect, test } from "vitest"
import { backupName, endedBackups, unfinishedBackups } from "./make.ts"

const now = new Date("2026-11-21T12:00:00Z")
const hourMs = 3_600_000
const ago = (hours: number) => backupName(new Date(now.getTime() - hours * hourMs))

function keptOf(files: string[]): string[] {
  const ended = new Set(endedBackups(files, now))
  return files.filter((file) => !ended.has(file))
}

test("a year of daily backups leaves seven days, four weeks and twelve months", () => {
  const kept = keptOf(Array.from({ length: 500 }, (_, day) => ago(24 * day)))
  expect(kept.slice(0, 7)).toEqual(Array.from({ length: 7 }, (_, day) => ago(24 * day)))
  expect(kept.length).toBeGreaterThanOrEqual(7 + 2 + 10)
  expect(kept.length).toBeLessThanOrEqual(7 + 4 + 12)
  expect(kept.at(-1)).toMatch(/^tilinta-2025-12-31T/)
})

test("of a day that is over the newest stays, of the last hours all", () => {
  expect(keptOf([ago(1), ago(2), ago(3), ago(73), ago(74), ago(75)])).toEqual([ago(1), ago(2), ago(3), ago(73)])
})

test("after a long stop the old ones stay, however old they are", () => {
  const old = [ago(24 * 400), ago(24 * 401)]
  expect(keptOf(old)).toEqual(old)
})

test("files of other programs are never deleted", () => {
  const others = [
    "move.backup",
    "tilinta-old.backup",
    "tilinta-2020-01-01T00-00-00-000Z.backup.unfinished",
    "notes.txt",
  ]
  expect(endedBackups(others, now)).toEqual([])
})

test("only our own files count as unfinished ones", () => {
  const ours = `${ago(3)}.unfinished`
  expect(unfinishedBackups([ours, ago(3), "move.backup.unfinished", "x.unfinished"])).toEqual([ours])
})
