import { z } from 'zod'

// Compiled parsers need `new Function`, which the content security policy forbids. Imported before any schema is used.
z.config({ jitless: true })
