import { config } from 'zod'

// The content security policy forbids evaluating code. Schemas try it once when they're created, which would be
// reported, so import this module before any schema.
config({ jitless: true })
