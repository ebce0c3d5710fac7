import 'fake-indexeddb/auto'
import { readFileSync } from 'node:fs'
import { desk } from './desk'
import { exports } from './exports'
import { figures } from './figures'
import { grid } from './grid'
import type { Comparison, Part } from './measure'
import { placements } from './placements'
import { queue } from './queue'
import { quickAdd } from './quick-add'
import { recurrence } from './recurrence'
import { replay } from './replay'
import { lineOf, orderOf, printedOf, summaryOf, type Order } from './report'
import { scroll } from './scroll'
import { storage } from './storage'
import { window } from './window'

const parts: Record<string, Part> = {
  recurrence,
  queue,
  replay,
  exports,
  figures,
  grid,
  placements,
  desk,
  window,
  'quick-add': quickAdd,
  storage,
  scroll,
}

let order: Order
let earlier: readonly Comparison[] | undefined
try {
  order = orderOf(process.argv.slice(2), Object.keys(parts))
  if (order.against !== undefined) earlier = printedOf(readFileSync(order.against, 'utf8')).comparisons
} catch (error) {
  console.error((error as Error).message)
  process.exit(2)
}

const { long, json } = order
// With --json, stdout has only the document.
const say = json ? console.error : console.log
const started = performance.now()
const elapsed = (): string => `${Math.round((performance.now() - started) / 1_000)} s`.padStart(6)
const all: Comparison[] = []
const failed: string[] = []
for (const [at, name] of order.parts.entries()) {
  const step = (words: string): void =>
    console.error(`${elapsed()}  ${at + 1} of ${order.parts.length}, ${name}: ${words}`)
  step('starting')
  try {
    for await (const figure of parts[name]!({ long, step })) {
      all.push(figure)
      say(lineOf(figure, earlier))
    }
  } catch (error) {
    // The other parts' measurements are still useful.
    failed.push(name)
    console.error(error)
  }
}
if (json) console.log(JSON.stringify({ node: process.version, long, comparisons: all }))
say(`${summaryOf(all, { failed, earlier })} (${elapsed().trim()})`)
process.exit(failed.length === 0 ? 0 : 1)
