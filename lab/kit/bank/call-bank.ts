import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("./calling-process.ts", import.meta.url))

export interface CallWish {
  calls: number
  atOnce: number
}

/** CPU microseconds of one call of our adapter, in a process that does nothing else. */
export async function callBank(bankUrl: string, wish: CallWish): Promise<number> {
  const child = fork(program, { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  try {
    return await new Promise((resolve, reject) => {
      child.once("message", (us) => resolve(Number(us)))
      child.once("exit", () => reject(new Error("the calling process ended too early")))
      child.send({ bankUrl, ...wish })
    })
  } finally {
    child.disconnect()
  }
}
