// `npm run build`: builds the app into out/.
import './help.mjs'
import { ensureBuild, ensureModules } from './setup.mjs'

ensureModules()
ensureBuild()
