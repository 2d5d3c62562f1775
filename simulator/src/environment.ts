import { z } from "zod"
import { areNetworks, listOfNetworks } from "./open-to.ts"
import type { SimulatorOptions } from "./start-simulator.ts"

/** A fatal start-up error: one line that names the variable and never repeats its value. */
export class EnvironmentError extends Error {}

const isPort = (value: string) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535

const variables = z.object({
  SIMULATOR_HOST: z.string().regex(/^\S+$/, "use um nome ou endereço sem espaços, como 127.0.0.1").default("127.0.0.1"),
  SIMULATOR_PORT: z.string().refine(isPort, "use um número de 0 a 65535 (0 escolhe uma porta livre)").default("4000"),
  SIMULATOR_DATA_DIR: z.string().default("./data/simulator"),
  SIMULATOR_CLIENT_ID: z
    .string()
    .regex(/^[^:]+$/, "use um texto sem dois-pontos")
    .default("tilinta"),
  SIMULATOR_CLIENT_SECRET: z.string().default("tilinta-sandbox"),
  SIMULATOR_PUBLIC_URL: z
    .string()
    .regex(/^https?:\/\/[!-~]{1,38}$/, "use um endereço http(s) com até 38 caracteres depois de ://")
    .optional(),
  SIMULATOR_OPEN_TO: z
    .string()
    .transform(listOfNetworks)
    .refine(areNetworks, "use endereços ou redes separados por vírgula, como 172.17.0.1,10.89.7.0/24")
    .default([]),
  SIMULATOR_RECEIVER_KEY: z
    .string()
    .regex(/^[!-~]{1,77}$/, "use uma chave Pix, de 1 a 77 caracteres")
    .optional(),
})

export function readEnvironment(env: NodeJS.ProcessEnv): SimulatorOptions {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""))
  const read = variables.safeParse(given)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new EnvironmentError(`Variável de ambiente ${String(issue?.path[0])} inválida: ${issue?.message}.`)
  }
  return {
    host: read.data.SIMULATOR_HOST,
    port: Number(read.data.SIMULATOR_PORT),
    dataDir: read.data.SIMULATOR_DATA_DIR,
    clientId: read.data.SIMULATOR_CLIENT_ID,
    clientSecret: read.data.SIMULATOR_CLIENT_SECRET,
    publicUrl: read.data.SIMULATOR_PUBLIC_URL,
    openTo: read.data.SIMULATOR_OPEN_TO,
    receiverKey: read.data.SIMULATOR_RECEIVER_KEY,
  }
}
