import { rootCertificates } from "node:tls"
import { type Connections, openConnections } from "#kit/http-client"
import type { ClientCertificate } from "./client-certificate.ts"

interface Wishes {
  certificate: ClientCertificate | null
  /** PEM authorities, trusted in addition to the usual ones. */
  authorities: readonly string[]
  timeoutMs: number
}

const CONNECT_MS = 5_000
const CONNECTIONS = 128

/**
 * One pool of keep-alive connections to a bank: TLS 1.2 or newer, always verified, with our client certificate if there
 * is one.
 */
export function openBankConnections({ certificate, authorities, timeoutMs }: Wishes): Connections {
  return openConnections({
    connections: CONNECTIONS,
    connectMs: Math.min(CONNECT_MS, timeoutMs),
    tls: { ...certificate?.tls, ca: [...rootCertificates, ...authorities], minVersion: "TLSv1.2" },
  })
}
