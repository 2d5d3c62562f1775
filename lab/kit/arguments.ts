/** The number given as `name=value` on the command line, or the default. */
export function numberOf(args: readonly string[], name: string, usual: number): number {
  const given = args.find((arg) => arg.startsWith(`${name}=`))
  return given === undefined ? usual : Number(given.slice(name.length + 1))
}

export function textOf(args: readonly string[], name: string, usual: string): string {
  return args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? usual
}
