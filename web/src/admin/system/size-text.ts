export function sizeText(bytes: number): string {
  const megabytes = bytes / 1_000_000
  const [size, unit] = megabytes < 1_000 ? [megabytes, "MB"] : [megabytes / 1_000, "GB"]
  return `${size.toLocaleString("pt-BR", { maximumFractionDigits: 1 })} ${unit}`
}
