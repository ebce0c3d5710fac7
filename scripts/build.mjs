// `npm run build`: main, preload and renderer into out/.
import './help.mjs'
import { ensureBuild, ensureModules } from './setup.mjs'

ensureModules()
ensureBuild()
