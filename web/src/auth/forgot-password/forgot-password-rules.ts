import { zodResolver } from "@hookform/resolvers/zod"
import { forgotPasswordBody } from "@tilinta/contract/api/auth-endpoints"

export const forgotPasswordResolver = zodResolver(forgotPasswordBody)
