// `npm run -s report -- …`: reports without a window. stdout contains only the requested data.
import { ensureModules } from './setup.mjs'

ensureModules()
// Paths are meant from where the command was given.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
const { register } = await import('tsx/esm/api')
register()
await import('../src-main/command/cli.ts')
