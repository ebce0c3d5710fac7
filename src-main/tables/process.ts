import { setFlagsFromString } from 'node:v8'
import { answerParent } from '../ipc/child-process'
import { memoryCeiling } from './memory'
import type { ResultContract } from './orders'
import { Tables } from './tables'

// Holds report results in its own process, so that no table blocks the window. Answers orders until it gets the order to exit
// or is killed.

// Heap limit for texts, because numbers live outside the heap. Exceeding it ends this process, not the app.
setFlagsFromString('--max-old-space-size=3072')

const tables = new Tables({ ceiling: memoryCeiling() })

answerParent<ResultContract>({ ...tables.answers, end })

/** Exits once no file is being written. */
async function end(): Promise<never> {
  tables.end()
  while (tables.busy) await new Promise((done) => setTimeout(done, 5))
  process.exit(0)
}
