// `npm run build`: main, preload and renderer into out/.
import { ensureBuild, ensureModules } from './setup.mjs'

ensureModules()
ensureBuild()
