import { createLog } from "#kit/log"
import { holdOrderKeys } from "#platform/order-macs/macs"
import { secretKeys } from "./secret-keys.ts"

/** As a server's start does, for tests that run without one. */
holdOrderKeys({ secretKeys, log: createLog("silent") })
