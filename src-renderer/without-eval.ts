import { config } from 'zod'

// The page may not make code from text. Schemas try it once when they are made, and the policy reports it: so this is
// imported before anything that makes one.
config({ jitless: true })
