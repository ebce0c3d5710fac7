// `npm run lint`: runs the lint checks of `npm test`, and checks the types of src-renderer.
import { readOptions } from './help.mjs'
import { lintChecks, runChecks } from './checks.mjs'

readOptions()
const { failed } = await runChecks(lintChecks())
process.exit(failed === 0 ? 0 : 1)
