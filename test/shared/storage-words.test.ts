import Dexie from 'dexie'
import { describe, expect, it } from 'vitest'
import { FaultError } from '#shared/fault'
import { storageFault, storageWords } from '#shared/storage-words'

const coded = (code: string): Error => Object.assign(new Error(`${code}: write`), { code })
const kept = 'Nothing was changed.'

describe('disk errors', () => {
  it.each([
    ['ENOSPC', 'Your disk is full. Nothing was changed. Free up disk space, then try again.'],
    ['EDQUOT', 'You’ve reached your quota on this disk. Nothing was changed. Free up disk space, then try again.'],
    ['EROFS', 'This disk is read-only. Nothing was changed. Make the disk writable, or choose another location.'],
    [
      'EACCES',
      'Flightplan doesn’t have permission to use this location. Nothing was changed. Change the permissions of the location, or choose another one.',
    ],
    ['ENOENT', 'This location no longer exists. Nothing was changed. Restore the folder, or choose another location.'],
    ['EISDIR', 'The path leads to a folder instead of a file. Nothing was changed. Choose another location.'],
  ])('%s', (code, words) => {
    expect(storageWords(coded(code), kept)).toBe(words)
    expect(storageFault(coded(code), kept).fault).toEqual({ code: 'storage', message: words, reason: code })
  })

  it('in a browser are recognized, also inside database errors', () => {
    const full = 'Your disk is full. Nothing was changed. Free up disk space, then try again.'
    const quota = new DOMException('No room is left', 'QuotaExceededError')
    const inner = Object.assign(new Error('outer'), { name: 'AbortError', inner: { name: 'QuotaExceededError' } })
    expect(storageWords(quota, kept)).toBe(full)
    expect(storageWords(inner, kept)).toBe(full)
    const aborted = new DOMException('The transaction was aborted', 'AbortError')
    const bulk = new Dexie.BulkError('outbox.bulkPut(): 1 of 1 operations failed. Errors: AbortError', [aborted])
    expect(storageWords(bulk, kept)).toBe(
      'Couldn’t write to the local database. The disk may be full. Nothing was changed. Free up disk space, then try again.',
    )
  })

  it("don't replace other errors' messages or faults", () => {
    expect(storageWords(new Error('Something else'), kept)).toBe(
      'Couldn’t read from or save to this computer (Something else). Nothing was changed.',
    )
    const fault = new FaultError({ code: 'aborted', message: 'Canceled.' })
    expect(storageFault(fault, kept)).toBe(fault)
  })
})
