import { X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { Duplex } from "node:stream"
import { createSecureContext, type SecureContextOptions, TLSSocket } from "node:tls"
import { type PixSetting, PixSettingError, type PixSettings } from "./pix-settings.ts"

/** The client certificate, ready for a handshake. */
export interface ClientCertificate {
  tls: Pick<SecureContextOptions, "cert" | "key" | "pfx" | "passphrase">
  endsAt: Date
}

/** Reads PEM or PKCS#12. A certificate that would fail at the first handshake ends the start. */
export function readClientCertificate(settings: PixSettings, now: Date): ClientCertificate | null {
  if (settings.certFile === null) {
    if (settings.certKeyFile !== null)
      throw new PixSettingError("certFile", "ausente: PIX_CERT_KEY_FILE pede o certificado.")
    return null
  }
  const file = readSettingFile("certFile", settings.certFile)
  const isPem = file.includes("-----BEGIN ")
  const tls = isPem ? readPem(settings, file) : readPkcs12(settings, file)
  const certificate = ownCertificate(tls, settings)
  const { validFromDate, validToDate } = certificate
  if (validToDate <= now)
    throw new PixSettingError("certFile", `inválida: o certificado venceu em ${dayOf(validToDate)}.`)
  if (validFromDate > now) {
    throw new PixSettingError("certFile", `inválida: o certificado só vale a partir de ${dayOf(validFromDate)}.`)
  }
  return { tls, endsAt: validToDate }
}

/** PEM authorities, trusted in addition to the usual ones. */
export function readTrustedAuthorities({ caFile }: PixSettings): string[] {
  if (caFile === null) return []
  const text = readSettingFile("caFile", caFile).toString("latin1")
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    const authorities = blocks.map((block) => new X509Certificate(block).toString())
    if (authorities.length > 0) return authorities
  } catch {
    // Reported below, like a file without certificates.
  }
  throw new PixSettingError("caFile", "inválida: o arquivo não tem um certificado em PEM.")
}

function readSettingFile(setting: PixSetting, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const problem =
      code === "ENOENT"
        ? "o arquivo não existe"
        : code === "EACCES"
          ? "sem permissão para ler o arquivo"
          : "o arquivo não pode ser lido"
    throw new PixSettingError(setting, `inválida: ${problem}.`)
  }
}

function readPem(settings: PixSettings, cert: Buffer): ClientCertificate["tls"] {
  const hasKey = cert.includes("PRIVATE KEY-----")
  if (settings.certKeyFile === null && !hasKey) {
    throw new PixSettingError("certKeyFile", "ausente: o arquivo de PIX_CERT_FILE não traz a chave privada.")
  }
  const key = settings.certKeyFile === null ? cert : readSettingFile("certKeyFile", settings.certKeyFile)
  return { cert, key, ...passphraseOf(settings) }
}

function readPkcs12(settings: PixSettings, pfx: Buffer): ClientCertificate["tls"] {
  if (settings.certKeyFile !== null) {
    throw new PixSettingError("certFile", "inválida: com PIX_CERT_KEY_FILE o certificado deve ser PEM.")
  }
  return { pfx, ...passphraseOf(settings) }
}

function passphraseOf({ certPassword }: PixSettings): { passphrase?: string } {
  return certPassword === null ? {} : { passphrase: certPassword }
}

function ownCertificate(tls: ClientCertificate["tls"], settings: PixSettings): X509Certificate {
  try {
    const secureContext = createSecureContext(tls)
    const nowhere = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
    const socket = new TLSSocket(nowhere, { secureContext, isServer: true })
    const certificate = socket.getX509Certificate()
    socket.destroy()
    if (certificate !== undefined) return certificate
  } catch (error) {
    throw problemOf(error as NodeJS.ErrnoException, tls.pfx !== undefined, settings)
  }
  throw new PixSettingError("certFile", "inválida: o arquivo não tem um certificado.")
}

function problemOf({ code = "", message }: NodeJS.ErrnoException, isPkcs12: boolean, settings: PixSettings) {
  if (code === "ERR_CRYPTO_UNSUPPORTED_OPERATION") {
    const way = "openssl pkcs12 -legacy -in antigo.p12 -nodes -out certificado.pem"
    return new PixSettingError("certFile", `inválida: o arquivo usa uma cifra antiga; converta com ${way}.`)
  }
  if (/KEY_VALUES_MISMATCH/.test(code)) {
    return new PixSettingError("certKeyFile", "inválida: a chave privada não é a deste certificado.")
  }
  if (
    /mac verify failure|bad decrypt|BAD_DECRYPT|BAD_PASSWORD|PASSPHRASE|interrupted or cancelled/i.test(
      `${code} ${message}`,
    )
  ) {
    const problem =
      settings.certPassword === null ? "ausente: o arquivo pede uma senha." : "inválida: a senha não abre o arquivo."
    return new PixSettingError("certPassword", problem)
  }
  const setting = settings.certKeyFile === null ? "certFile" : "certKeyFile"
  const wanted = isPkcs12 ? "um certificado em PEM ou PKCS#12" : "um certificado e a sua chave em PEM"
  return new PixSettingError(setting, `inválida: o arquivo não tem ${wanted}.`)
}

const dayFormat = new Intl.DateTimeFormat("pt-BR", { timeZone: "America/Sao_Paulo" })

function dayOf(date: Date): string {
  return dayFormat.format(date)
}
