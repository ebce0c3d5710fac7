import 'fake-indexeddb/auto'
import type { Comparison } from './measure'
import { placements } from './placements'
import { queue } from './queue'
import { recurrence } from './recurrence'
import { replay } from './replay'
import { storage } from './storage'
import { window } from './window'

const json = process.argv.includes('--json')
const all: Comparison[] = []
for (const bench of [recurrence, queue, replay, window, () => storage(), placements]) all.push(...(await bench()))

if (json) console.log(JSON.stringify({ node: process.version, comparisons: all }))
else
  for (const { name, ours, floor, ratio, floorIs } of all)
    console.log(
      `${ratio.toFixed(2).padStart(8)} ×  ${name}: ${ours.toFixed(1)} ms against ${floor.toFixed(1)} ms for ${floorIs}`,
    )
process.exit(0)
