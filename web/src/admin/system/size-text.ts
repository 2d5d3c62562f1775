export function sizeText(bytes: number): string {
  const unit = bytes < 1e6 ? "kB" : bytes < 1e9 ? "MB" : "GB"
  const size = bytes / { kB: 1e3, MB: 1e6, GB: 1e9 }[unit]
  return `${size.toLocaleString("pt-BR", { maximumFractionDigits: 1 })} ${unit}`
}
