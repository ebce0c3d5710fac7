// A setup file: properties try the cases that the commit draws, so that what passes once passes everywhere.
import fc from 'fast-check'
import { drawSeed } from './ring'

fc.configureGlobal({ seed: drawSeed })
