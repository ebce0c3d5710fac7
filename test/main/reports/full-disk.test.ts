import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fetchFragment } from '../../../src-main/reports/download'
import { Library } from '../../../src-main/reports/library'
import type { RunRecord } from '../../../src-main/reports/run-record'
import type { RunService } from '../../../src-main/reports/run-service'
import { smallDisk } from '../../helpers/small-disk'

const run: RunRecord = {
  ...{ version: 1, id: 'one', accountId: 'sandbox', service: 'trafficking', name: 'Daily', type: 'STANDARD' },
  ...{ definition: {}, format: 'csv', state: 'fetching', words: '', asked: 0, fragments: [{ done: false }] },
}

it('a disk that fits only part of a chunk loses none of it, whatever its space a moment later', async () => {
  const at = await mkdtemp(join(tmpdir(), 'flightplan-room-'))
  const disk = smallDisk(at, 256 * 1024)
  try {
    const library = new Library(at)
    await library.keep(run)
    const other = join(at, 'other')
    await writeFile(other, Buffer.alloc(120 * 1024))
    const bytes = randomBytes(180 * 1024)
    const pieces = [bytes.subarray(0, 90 * 1024), bytes.subarray(90 * 1024, 150 * 1024), bytes.subarray(150 * 1024)]
    const from: number[] = []
    const download: RunService['download'] = async (_run, _fragment, take, options) => {
      from.push(options.from)
      async function* chunks(): AsyncGenerator<Uint8Array> {
        let place = 0
        for (const piece of pieces) {
          // Space becomes free between two chunks after the second didn't fit.
          if (place > 0 && place + piece.length === bytes.length) await rm(other, { force: true })
          if (place >= options.from) yield await Promise.resolve(piece)
          else if (place + piece.length > options.from) yield piece.subarray(options.from - place)
          place += piece.length
        }
      }
      return take({ partial: options.from > 0, total: bytes.length, etag: '"1"', contentType: 'text/csv' }, chunks())
    }
    let known = run
    const fetch = (): Promise<RunRecord> =>
      fetchFragment(
        library,
        { download } as RunService,
        known,
        0,
        (next) => {
          known = next
          return Promise.resolve()
        },
        { signal: new AbortController().signal, onbytes: () => undefined },
      )
    await expect(fetch()).rejects.toMatchObject({
      fault: {
        code: 'storage',
        message:
          'Your disk is full. The downloaded part is saved. The rest will be downloaded later. Free up disk space, then try again.',
      },
    })
    const { size } = await stat(library.partOf(run, 0))
    expect(size).toBeGreaterThan(90 * 1024)
    await rm(other, { force: true })
    expect((await fetch()).fragments[0]).toMatchObject({ done: true })
    expect(from).toEqual([0, size])
    expect(bytes.equals(await readFile(library.partOf(run, 0)))).toBe(true)
  } finally {
    disk.remove()
  }
})
