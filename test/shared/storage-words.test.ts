import Dexie from 'dexie'
import { describe, expect, it } from 'vitest'
import { FaultError } from '#shared/fault'
import { storageFault, storageWords } from '#shared/storage-words'

const coded = (code: string): Error => Object.assign(new Error(`${code}: write`), { code })
const kept = 'Nothing was changed.'

describe('a disk that fails, in words', () => {
  it.each([
    ['ENOSPC', 'The disk of this computer is full. Nothing was changed. Make room and try again.'],
    ['EDQUOT', 'Your share of this disk is used up. Nothing was changed. Make room and try again.'],
    [
      'EROFS',
      'This disk can only be read, not written. Nothing was changed. Make it writable, or choose another place.',
    ],
    [
      'EACCES',
      'This computer does not let Flightplan use that place. Nothing was changed. Change who may use it, or choose another place.',
    ],
    ['EISDIR', 'There is a folder where a file is needed. Nothing was changed.'],
  ])('%s', (code, words) => {
    expect(storageWords(coded(code), kept)).toBe(words)
    expect(storageFault(coded(code), kept).fault).toEqual({ code: 'storage', message: words, reason: code })
  })

  it('of a browser, also inside the errors of a database', () => {
    const full = 'The disk of this computer is full. Nothing was changed. Make room and try again.'
    const quota = new DOMException('No room is left', 'QuotaExceededError')
    const inner = Object.assign(new Error('outer'), { name: 'AbortError', inner: { name: 'QuotaExceededError' } })
    expect(storageWords(quota, kept)).toBe(full)
    expect(storageWords(inner, kept)).toBe(full)
    const aborted = new DOMException('The transaction was aborted', 'AbortError')
    const bulk = new Dexie.BulkError('outbox.bulkPut(): 1 of 1 operations failed. Errors: AbortError', [aborted])
    expect(storageWords(bulk, kept)).toBe(
      'The database on this computer took nothing, most often because the disk is full. Nothing was changed. Make room and try again.',
    )
  })

  it('keeps the words of what is no failure of a disk, and a fault as it is', () => {
    expect(storageWords(new Error('Something else'), kept)).toBe(
      'This computer could not keep it (Something else). Nothing was changed.',
    )
    const fault = new FaultError({ code: 'aborted', message: 'Cancelled.' })
    expect(storageFault(fault, kept)).toBe(fault)
  })
})
