import { zodResolver } from "@hookform/resolvers/zod"
import { signupStep1, signupStep2 } from "@tilinta/contract/api/auth-endpoints"

export const accountResolver = zodResolver(signupStep1)
export const personResolver = zodResolver(signupStep2)
