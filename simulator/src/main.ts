import {
  EnvironmentError,
  type RunningSimulator,
  readEnvironment,
  type SimulatorOptions,
  startSimulator,
} from "./start-simulator.ts"

async function main(): Promise<void> {
  const options = { ...readEnvironment(process.env), log: (line: string) => console.error(line) }
  const simulator = await start(options)
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void simulator.stop())
  console.log(`Simulador de banco pronto em ${simulator.url}/simulador (chave Pix ${simulator.receiverKey})`)
}

async function start(options: SimulatorOptions): Promise<RunningSimulator> {
  try {
    return await startSimulator(options)
  } catch (error) {
    throw new EnvironmentError(explain(error as NodeJS.ErrnoException, options))
  }
}

function explain(error: NodeJS.ErrnoException, { host, port, dataDir }: SimulatorOptions): string {
  if (error.code === "EADDRINUSE") return `SIMULATOR_PORT: a porta ${port} já está em uso.`
  if (error.code === "EACCES" && error.syscall === "listen")
    return `SIMULATOR_PORT: sem permissão para usar a porta ${port}.`
  if (error.syscall === "listen" || error.syscall === "getaddrinfo") {
    return `SIMULATOR_HOST: não foi possível atender em "${host}" (${error.code}).`
  }
  if (error.syscall === "mkdir") return `SIMULATOR_DATA_DIR: não foi possível criar "${dataDir}" (${error.code}).`
  return error.message
}

main().catch((error: unknown) => {
  console.error(error instanceof EnvironmentError ? error.message : error)
  process.exitCode = 1
})
