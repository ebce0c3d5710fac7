// Shifts the wall clock of this process and its children to FLIGHTPLAN_NOW, from where it runs on. Lets plain tests run at any
// time, including code and packages that read the system clock.
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
