// `npm run lint`: the lint checks of `npm test`.
import './help.mjs'
import { lintChecks, runChecks } from './checks.mjs'

const { failed } = await runChecks(lintChecks())
process.exit(failed === 0 ? 0 : 1)
