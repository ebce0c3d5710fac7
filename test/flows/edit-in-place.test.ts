import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Json } from '#shared/json'
import { storageFault } from '#shared/storage-words'
import type { Upon } from '../../src-renderer/replica/api'
import { pasteCells } from '../../src-renderer/views/campaigns/clipboard'
import { EditInPlace } from '../../src-renderer/views/campaigns/edit-in-place.svelte'
import { cellsForFile } from '../helpers/cells-for-file'
import { minasProfile } from '../helpers/whole-account'

const { cells, device, service } = cellsForFile()
let minas: string

// The page keeps text that can't be saved. Here, only its message does.
beforeEach(() => {
  const full = (): never => {
    throw new DOMException('No room is left', 'QuotaExceededError')
  }
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: full })
})

const path = 'externalId'
const last = (): string => cells.messages.at(-1) ?? ''
const keyOf = (row: number): string => cells.model.rows!.key(row)
const value = (row: number): Promise<Json | undefined> => cells.value(row, path)
const hasValue = (row: number, wanted: Json): Promise<void> => expect.poll(() => value(row)).toBe(wanted)
const says = (what: RegExp): Promise<void> => expect.poll(last).toMatch(what)

/** A cell of the grid, or of several selected rows. */
function cellOf(...rows: number[]): EditInPlace {
  const { model } = cells
  const { replica } = model.app
  const shown = (key: string): Upon => {
    const seq = replica.remoteSeq(key)
    return { seq, values: { [path]: model.saving.valueAt(key, path) ?? model.cell(rowOf(key))(path) ?? null } }
  }
  const rowOf = (key: string): number => model.rows!.find(key)
  const place = { facts: model.kind, path, keys: rows.map(keyOf), title: 'A placement' }
  return new EditInPlace(model, { place: () => place, shown })
}
/** A field of the form, which knows the whole record. */
async function fieldOf(row: number): Promise<EditInPlace> {
  const { model } = cells
  const found = (await device.replica.read(keyOf(row)))!
  const upon = { seq: found.remoteSeq, record: found.value! }
  const place = { facts: model.kind, path, keys: [keyOf(row)], title: 'A placement' }
  return new EditInPlace(model, { place: () => place, shown: () => upon })
}
/** Someone else changes a row, and this computer syncs it. */
async function elsewhere(row: number, text: string): Promise<void> {
  const id = keyOf(row).split('\n').at(-1)!
  await service.asMina('trafficking.placements.patch', { profileId: minas, id }, { externalId: text })
  device.replica.syncNow()
  await hasValue(row, text)
}
/** Blocks edits until the returned function is called. */
function block(): () => void {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  void device.replica.inTurn(() => opened)
  return open
}

beforeAll(async () => {
  minas = await minasProfile(service)
})

describe('a change that arrives during an edit', () => {
  it('is shown before it is replaced', async () => {
    const cell = cellOf(0)
    cell.type('mine')
    await elsewhere(0, 'Hers 1')
    expect(cell.commit(true)).toBe(false)
    expect(cell.note).toBe('Changed to “Hers 1” while you were editing. Press Enter again to replace it')
    expect(cell.commit()).toBe(false)
    expect(cell.commit(true)).toBe(true)
    await hasValue(0, 'mine')
    expect(cells.messages).toEqual([])
  })

  it('names the keys that replace it where Enter starts a line', () => {
    const { model } = cells
    let seen = { seq: 1, record: { comment: 'Before' } }
    const place = { facts: model.kind, path: 'comment', keys: [keyOf(0)], title: 'A placement' }
    const field = new EditInPlace(model, { place: () => place, shown: () => seen, lines: true })
    field.type('mine')
    seen = { seq: 2, record: { comment: 'Hers' } }
    expect(field.commit()).toBe(false)
    expect(field.note).toBe('Changed to “Hers” while you were editing. Press Ctrl+Enter to replace it')
  })

  it('is detected in any of the selected rows', async () => {
    const cell = cellOf(0, 1, 2)
    cell.type('all')
    await elsewhere(1, 'Hers 2')
    expect(cell.commit(true)).toBe(false)
    expect(cell.problem).toBe('1 of 3 records changed while you were editing. One is now “Hers 2”')
    cell.forget()
    expect(await value(0)).not.toBe('all')
  })

  it.each([
    ['a cell', (): Promise<EditInPlace> => Promise.resolve(cellOf(3))],
    ['a field', (): Promise<EditInPlace> => fieldOf(3)],
  ])("isn't replaced by %s if it comes after the last look, however often", async (what, open) => {
    const edit = await open()
    const go = block()
    edit.type('mine')
    expect(edit.commit(true)).toBe(true)
    await elsewhere(3, `Hers, ${what}`)
    go()
    await says(/^Couldn’t save “mine” as the plan line of A placement\. Changed to “Hers, .*” while you were editing\./)
    expect(await value(3)).toBe(`Hers, ${what}`)
    const again = block()
    cells.press()
    await elsewhere(3, `Hers again, ${what}`)
    again()
    await says(/Changed to “Hers again, .*” while you were editing\./)
    expect(await value(3)).toBe(`Hers again, ${what}`)
    cells.press()
    await hasValue(3, 'mine')
  })

  it('keeps the text of a place that goes away, for one message', async () => {
    const cell = cellOf(4)
    cell.type('mine')
    await elsewhere(4, 'Hers 3')
    expect(cell.commit()).toBe(false)
    cell.settle()
    await says(/^Couldn’t save “mine” as the plan line of A placement\. Changed to “Hers 3” while you were editing\./)
    cell.settle()
    expect(cells.messages).toHaveLength(1)
    cells.press()
    await hasValue(4, 'mine')
  })
})

describe('your own earlier edit', () => {
  it('counts as seen, however fast you type', async () => {
    const go = block()
    for (const text of ['a', 'b', 'c']) {
      const cell = cellOf(5)
      cell.type(text)
      expect(cell.commit(true)).toBe(true)
      expect(cells.model.saving.valueAt(keyOf(5), path)).toBe(text)
      expect(cells.model.saving.has(keyOf(5))).toBe(true)
    }
    go()
    await hasValue(5, 'c')
    await expect.poll(() => cells.model.saving.has(keyOf(5))).toBe(false)
    expect(cells.model.saving.valueAt(keyOf(5), path)).toBeUndefined()
    expect(cells.messages).toEqual([])
  })

  it('comes first, even if it is a paste that still waits', async () => {
    const go = block()
    cells.select(6, 7, path)
    const pasted = pasteCells(cells.model, 'pasted\npasted too')
    const cell = cellOf(6)
    cell.type('typed')
    cell.commit(true)
    go()
    await pasted
    await hasValue(6, 'typed')
    expect(await value(7)).toBe('pasted too')
    expect(cells.messages).toEqual(['2 cells changed', '2 cells changed'])
  })

  it("isn't undone by an edit that follows it in the same record", async () => {
    const field = await fieldOf(8)
    const cell = cellOf(8)
    cell.type('in the grid')
    cell.commit(true)
    await hasValue(8, 'in the grid')
    field.type('in the form')
    expect(field.commit()).toBe(true)
    await hasValue(8, 'in the form')
    expect(cells.messages).toEqual([])
  })
})

describe('text that can’t be saved', () => {
  it('stays with the reason and is reported once', async () => {
    const name = new EditInPlace(cells.model, {
      place: () => ({ facts: cells.model.kind, path: 'name', keys: [keyOf(9)], title: 'A placement' }),
      shown: () => ({ seq: 0, values: { name: 'A placement' } }),
    })
    name.type('')
    expect(name.commit(true)).toBe(false)
    expect(name.problem).toBe('Can’t be empty')
    name.settle()
    expect(last()).toMatch(/^Couldn’t save an empty value as the name of A placement\. Can’t be empty\./)
    expect(name.text).toBeNull()
  })

  it('on a full disk can be saved once there is room', async () => {
    const { replica } = device
    const { edit } = replica
    const cell = cellOf(10)
    replica.edit = () => Promise.reject(storageFault({ name: 'QuotaExceededError' }, 'Nothing changed.'))
    cell.type('no room')
    cell.commit(true)
    await says(/^Couldn’t save “no room” as the plan line of A placement\. Your disk is full/).finally(() =>
      Object.assign(replica, { edit }),
    )
    expect(cells.model.saving.valueAt(keyOf(10), path)).toBeUndefined()
    cells.press()
    await hasValue(10, 'no room')
  })
})
