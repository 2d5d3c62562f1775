import { makeTestFolder } from "../../tools/test-folder.ts"
import { watchOver } from "./postgres-watchdog.ts"

const ours = "TILINTA_TEST_FOLDER"

/** A folder for all temporary files of a run, which is removed with it, however it ends; the projects share it. */
export default async function setup(): Promise<(() => void) | undefined> {
  if (process.env[ours] !== undefined) return
  const folder = await makeTestFolder()
  process.env[ours] = folder
  // The workers and the servers that they start take it as the system's folder for temporary files.
  process.env["TMPDIR"] = folder
  const watchdog = watchOver(folder)
  return () => watchdog.release()
}
