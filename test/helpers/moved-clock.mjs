// Moves the wall clock of the process that loads it, and of those it starts, to FLIGHTPLAN_NOW; it runs on from there.
// For plain tests at any hour: code and packages that ask the system's clock then see the moment too.
import { fileURLToPath } from 'node:url'

const moment = process.env['FLIGHTPLAN_NOW']
const inherited = process.env['FLIGHTPLAN_MOVED_BY']
const moved = Symbol.for('flightplan.moved-clock')
if (moment && !globalThis[moved]) {
  const System = Date
  const offset = inherited === undefined ? System.parse(moment) - System.now() : Number(inherited)
  if (Number.isNaN(offset)) throw new Error(`FLIGHTPLAN_NOW is no moment: ${moment}`)
  const now = () => System.now() + offset
  globalThis.Date = new Proxy(System, {
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
    apply: () => new System(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
  globalThis[moved] = true
  process.env['FLIGHTPLAN_MOVED_BY'] = String(offset)
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --import ${fileURLToPath(import.meta.url)}`.trim()
}
