import { execFile } from "node:child_process"
import { access } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** Folders of programs, with root's, which a user's own PATH may lack. */
const programFolders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"]
const env = { ...process.env, PATH: programFolders.join(delimiter) }

/** Runs a command to its end and returns what it printed; a failure names the command and its last lines. */
export async function run(command: string, parameters: readonly string[]): Promise<string> {
  try {
    const { stdout } = await execute(command, [...parameters], { env, maxBuffer: 64 * 1024 * 1024 })
    return stdout.trim()
  } catch (cause) {
    const { stdout = "", stderr = "", message } = cause as Error & { stdout?: string; stderr?: string }
    const end = (`${stdout}\n${stderr}`.trim() || message).split("\n").slice(-25).join("\n")
    throw new Error(`${command} ${parameters.slice(0, 3).join(" ")} failed:\n${end}`, { cause })
  }
}

export function buildah(...parameters: string[]): Promise<string> {
  return run("buildah", parameters)
}

/** Without a name of its own a container takes its image's; a script needs the one it made. */
export async function containerFrom(image: string): Promise<string> {
  return buildah("from", "--pull-never", image)
}

export async function commit(container: string, image: string): Promise<void> {
  await buildah("commit", "--quiet", "--format", "docker", container, image)
  await buildah("rm", container)
}

/** A build of the image needs these and root; its base comes from debootstrap where no other is named. */
export function imagePrograms(isBaseGiven = false): string[] {
  return ["buildah", "unshare", "chroot", ...(isBaseGiven ? [] : ["debootstrap"])]
}

export async function canBuildImages(programs: string[]): Promise<boolean> {
  const found = await Promise.all(programs.map(isInstalled))
  return process.getuid?.() === 0 && found.every((isThere) => isThere)
}

async function isInstalled(program: string): Promise<boolean> {
  const found = await Promise.allSettled(programFolders.map((folder) => access(join(folder, program))))
  return found.some(({ status }) => status === "fulfilled")
}
