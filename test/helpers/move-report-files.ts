import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

// Moves a library's files to a folder and kills itself before one of the disk changes. Arguments: user data, folder, number of
// the change (0: none). Prints the number of changes.

const [userData, chosen, at] = process.argv.slice(2) as [string, string, string]
let changes = 0
/** Before each disk change. SIGKILL leaves no time for cleanup. */
function change(): void {
  if (++changes === Number(at)) process.kill(process.pid, 'SIGKILL')
}
const counted =
  <A extends unknown[], R>(work: (...args: A) => R) =>
  (...args: A): R => {
    change()
    return work(...args)
  }
const { open } = fs
Object.assign(fs, {
  ...Object.fromEntries(
    (['rename', 'rm', 'rmdir', 'mkdir', 'writeFile'] as const).map((name) => [
      name,
      counted(fs[name] as () => unknown),
    ]),
  ),
  open: async (...args: Parameters<typeof open>) => {
    change()
    const handle = await open(...args)
    for (const name of ['writeFile', 'sync'] as const) {
      const work = (handle[name] as (...args: unknown[]) => Promise<void>).bind(handle)
      Object.assign(handle, { [name]: counted(work) })
    }
    return handle
  },
})
syncBuiltinESMExports()

const [{ Library }, { FileMover }, { ReportFolder }, { destination }] = await Promise.all([
  import('../../src-main/reports/library'),
  import('../../src-main/reports/move-files'),
  import('../../src-main/reports/report-folder'),
  import('../../src-main/reports/destination'),
])
const folder = await ReportFolder.open(userData)
const library = new Library(folder.usual, folder)
const mover = new FileMover({
  folder,
  library,
  whileHeld: (work) => work(),
  quietly: (work) => work(),
  onprogress: () => undefined,
})
await mover.moveTo(await destination(chosen, folder, userData))
process.stdout.write(String(changes))
