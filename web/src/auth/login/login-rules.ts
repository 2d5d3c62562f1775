import { zodResolver } from "@hookform/resolvers/zod"
import { loginBody } from "@tilinta/contract/api/auth-endpoints"

export const loginResolver = zodResolver(loginBody)
