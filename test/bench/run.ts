import 'fake-indexeddb/auto'
import { parseArgs } from 'node:util'
import { exports } from './exports'
import { figures } from './figures'
import { grid } from './grid'
import type { Comparison } from './measure'
import { placements } from './placements'
import { queue } from './queue'
import { recurrence } from './recurrence'
import { replay } from './replay'
import { scroll } from './scroll'
import { storage } from './storage'
import { window } from './window'

const parts = {
  recurrence,
  queue,
  replay,
  window,
  storage: () => storage(),
  placements,
  grid,
  scroll,
  exports,
  figures,
}
const { values } = parseArgs({ options: { json: { type: 'boolean' }, only: { type: 'string' } } })
const unknown = values.only !== undefined && !Object.hasOwn(parts, values.only)
if (unknown) {
  console.error(`--only takes one of ${Object.keys(parts).join(', ')}: ${values.only}`)
  process.exit(2)
}
const all: Comparison[] = []
for (const [name, bench] of Object.entries(parts))
  if (values.only === undefined || values.only === name) all.push(...(await bench()))

if (values.json) console.log(JSON.stringify({ node: process.version, comparisons: all }))
else
  for (const { name, ours, floor, ratio, floorIs } of all)
    console.log(
      `${ratio.toFixed(2).padStart(8)} ×  ${name}: ${ours.toFixed(1)} ms against ${floor.toFixed(1)} ms for ${floorIs}`,
    )
process.exit(0)
