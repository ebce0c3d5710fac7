// `npm run lint`: the lint checks of `npm test`.
import { readOptions } from './help.mjs'
import { lintChecks, runChecks } from './checks.mjs'

readOptions()
const { failed } = await runChecks(lintChecks())
process.exit(failed === 0 ? 0 : 1)
