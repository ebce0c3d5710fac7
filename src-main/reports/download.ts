import { open, rm, stat } from 'node:fs/promises'
import { FaultError } from '#shared/fault'
import { storageFault } from '#shared/storage-words'
import { writeWhole } from '../disk/write-whole'
import type { Library } from './library'
import type { RunRecord } from './run-record'
import type { RunService } from './run-service'

/** Bytes between two progress updates. */
const stride = 256 * 1024

/**
 * Downloads a fragment of a run's file. Resumes an earlier attempt if the file is still the same version.
 * @param note saves the run's record before bytes that depend on it are written
 * @throws FaultError
 */
export async function fetchFragment(
  library: Library,
  service: RunService,
  run: RunRecord,
  index: number,
  note: (run: RunRecord) => Promise<void>,
  { signal, onbytes }: { signal: AbortSignal; onbytes: (done: number, of: number | undefined) => void },
): Promise<RunRecord> {
  const path = library.partOf(run, index)
  const known = run.fragments[index]!
  const there = known.etag === undefined ? 0 : await sizeOf(path)
  const withFragment = (more: Partial<RunRecord['fragments'][number]>): RunRecord => ({
    ...run,
    fragments: run.fragments.map((fragment, at) => (at === index ? { ...fragment, ...more } : fragment)),
  })
  if (there > 0 && there === known.bytes) {
    onbytes(there, there)
    return withFragment({ done: true })
  }
  let asNow = run
  const options = { from: there, ...(known.etag !== undefined && { etag: known.etag }), signal }
  await service.download(
    run,
    index,
    async (head, chunks) => {
      const bytes = head.total ?? known.bytes
      // Delete first: otherwise bytes of the old version would pass for the start of the new one.
      if (!head.partial) await rm(path, { force: true }).catch(refuse)
      asNow = withFragment({
        ...(bytes !== undefined && { bytes }),
        ...(head.etag !== undefined && { etag: head.etag }),
      })
      await note(asNow)
      const done = await append(path, head.partial ? there : 0, chunks, (at) => onbytes(at, bytes))
      if (bytes !== undefined && done !== bytes)
        throw new FaultError({ code: 'answerLost', message: 'The connection was lost before the file was complete.' })
    },
    options,
  )
  return { ...asNow, fragments: asNow.fragments.map((one, at) => (at === index ? { ...one, done: true } : one)) }
}

/** Appends after the first `from` bytes and flushes. @returns the file's size */
async function append(
  path: string,
  from: number,
  chunks: AsyncIterable<Uint8Array>,
  onbytes: (at: number) => void,
): Promise<number> {
  const file = await open(path, from > 0 ? 'r+' : 'w', 0o600).catch(refuse)
  let at = from
  let said = from
  try {
    await file.truncate(from).catch(refuse)
    for await (const chunk of chunks) {
      await writeWhole(file, chunk, at).catch(refuse)
      at += chunk.length
      if (at - said >= stride) onbytes((said = at))
    }
    await file.sync().catch(refuse)
    onbytes(at)
    return at
  } finally {
    await file.close()
  }
}

function refuse(error: unknown): never {
  throw storageFault(error, 'The downloaded part is saved. The rest will be downloaded later.')
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
