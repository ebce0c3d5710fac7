import { setFlagsFromString } from 'node:v8'
import { z } from 'zod'
import { answerParent } from '../ipc/child-process'
import type { SheetContract } from './sheet-reader'
import { readSheetRows } from './sheet-rows'

// Reads one untrusted spreadsheet in its own process and hands out its rows, until the parent ends it.

// A file that needs more memory ends this process instead of using up the computer's.
setFlagsFromString('--max-old-space-size=2048')

const openSchema = z.object({ path: z.string(), sheet: z.string().optional() })
const pageSchema = z.object({ from: z.number(), count: z.number() })

let rows: readonly string[][] = []

answerParent<SheetContract>({
  open: async (order) => {
    const { path, sheet } = openSchema.parse(order)
    const { rows: read, ...about } = await readSheetRows(path, sheet)
    rows = read
    return { rows: rows.length, ...about }
  },
  rows: (order) => {
    const { from, count } = pageSchema.parse(order)
    return rows.slice(from, from + count)
  },
})
