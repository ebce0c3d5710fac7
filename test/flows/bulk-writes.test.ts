import { beforeAll, describe, expect, it } from 'vitest'
import { storageFault } from '#shared/storage-words'
import type { CampaignsModel } from '../../src-renderer/views/campaigns/model.svelte'
import { copiedCells, pasteCells } from '../../src-renderer/views/campaigns/clipboard'
import { fillDown } from '../../src-renderer/views/campaigns/filling'
import { end, unarchive } from '../../src-renderer/views/campaigns/ending'
import { duplicate } from '../../src-renderer/views/campaigns/making'
import { writeCells } from '../../src-renderer/views/campaigns/writing'
import { cellsForFile } from '../helpers/cells-for-file'
import { minasProfile } from '../helpers/whole-account'

const { cells, device, profile, service, show } = cellsForFile()
let minas: string

beforeAll(async () => {
  minas = await minasProfile(service)
})

const line = 'externalId'
const last = (): string => cells.messages.at(-1) ?? ''
const lines = (rows: readonly number[]): Promise<unknown[]> => Promise.all(rows.map((row) => cells.value(row, line)))
const idOf = (row: number): string => cells.model.rows!.key(row).split('\n').at(-1)!

/** Someone else changes a row's plan line, and this computer syncs it. */
async function elsewhere(row: number, text: string): Promise<void> {
  await service.asMina('trafficking.placements.patch', { profileId: minas, id: idOf(row) }, { externalId: text })
  device.replica.syncNow()
  await expect.poll(() => cells.value(row, line)).toBe(text)
}
/** Blocks later writes until `open`. */
function gate(model: CampaignsModel): { open: () => void } {
  const { replica } = model.app
  const { inTurn } = replica
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  replica.inTurn = (work) => {
    replica.inTurn = inTurn
    return opened.then(() => inTurn.call(replica, work)) as Promise<never>
  }
  return { open }
}
/** Runs after a write was planned and before it's made. */
function beforeWriting(model: CampaignsModel, work: () => Promise<void>): void {
  const { edit } = model.app
  Object.assign(model.app, {
    edit: async (...args: Parameters<typeof edit>) => {
      Object.assign(model.app, { edit })
      await work()
      return edit(...args)
    },
  })
}

describe('a change between reading and writing', () => {
  it("isn't pasted over if the shown value differed, and is counted", async () => {
    cells.select(0, 2, line)
    const { open } = gate(cells.model)
    const done = pasteCells(cells.model, 'a\nb\nc')
    await elsewhere(1, 'Hers 1')
    open()
    await done
    expect(await lines([0, 1, 2])).toEqual(['a', 'Hers 1', 'c'])
    expect(last()).toMatch(
      /^2 cells changed\. 1 cell skipped: Changed since you saw it \(plan line of Nordlicht Nachrichten .+: “b”\)$/,
    )
  })

  it("isn't filled over", async () => {
    await writeCells(cells.model, [{ key: cells.model.rows!.key(0), path: line, text: 'Mine' }])
    cells.select(0, 2, line)
    const { open } = gate(cells.model)
    const done = fillDown(cells.model)
    await elsewhere(2, 'Hers 2')
    open()
    await done
    expect(await lines([0, 1, 2])).toEqual(['Mine', 'Mine', 'Hers 2'])
    expect(last()).toBe('1 cell filled. 1 cell skipped: Changed since you saw it')
  })

  it('is skipped if it came after planning', async () => {
    cells.select(0, 2, line)
    beforeWriting(cells.model, () => elsewhere(0, 'Hers 3'))
    await pasteCells(cells.model, 'a\nb\nc')
    expect(await lines([0, 1, 2])).toEqual(['Hers 3', 'b', 'c'])
    expect(last()).toMatch(/^2 cells changed\. 1 cell skipped: Changed since you saw it \(plan line of .+: “a”\)$/)
  })

  it("counts as seen if it's your own", async () => {
    cells.select(0, 1, line)
    const model = cells.model
    await Promise.all([pasteCells(model, 'a\nb'), pasteCells(model, 'c\nd')])
    expect(await lines([0, 1])).toEqual(['c', 'd'])
    expect(last()).toBe('2 cells changed')
  })

  it('keeps the requested order, however long the first lookup takes', async () => {
    const { model } = cells
    const all = (text: string): string =>
      Array.from({ length: model.length }, (_u, row) => `"${text} ${row}"`).join('\n')
    const paste = (text: string): Promise<void> => {
      cells.select(0, 0, line)
      return pasteCells(model, text)
    }
    const [top, bottom] = [0, model.length - 1]
    await Promise.all([paste(all('First')), paste(all('Second')), paste('third')])
    expect(await lines([top, bottom])).toEqual(['third', `Second ${bottom}`])
  })

  it('can delete the record', async () => {
    const { replica } = device
    const value = { ...(await replica.read(cells.model.rows!.key(0)))!.value!, name: 'A draft' }
    const { keys } = await replica.edit([{ kind: 'create', collection: 'placements', parent: profile(), value }], {
      label: 'New',
    })
    await show('placements')
    const row = cells.model.rows!.find(keys[0]!)
    cells.select(row, row, line)
    const { open } = gate(cells.model)
    const done = pasteCells(cells.model, 'never')
    await replica.undo()
    open()
    await done
    expect(last()).toBe('0 cells changed. 1 cell skipped: This record no longer exists')
  })
})

describe('pasted cells', () => {
  const [from, to] = ['pricingSchedule.startDate', 'pricingSchedule.endDate']
  const days = (): Promise<unknown[]> =>
    Promise.all([from, to].flatMap((path) => [cells.value(0, path), cells.value(1, path)]))

  it('have dates in the order that one of their column shows', async () => {
    const { columns } = cells.model
    expect(columns.findIndex(({ path }) => path === to)).toBe(columns.findIndex(({ path }) => path === from) + 1)
    for (const text of [
      '7/1/2026\t8/2/26\n7/31/2026\t8/30/26',
      'Start date\tEnd date\n7/1/2026\t8/2/26\n7/31/2026\t8/30/26',
    ]) {
      cells.select(0, 0, from)
      await pasteCells(cells.model, text)
      expect(last()).toBe('4 cells changed')
      expect(await days()).toEqual(['2026-07-01', '2026-07-31', '2026-08-02', '2026-08-30'])
      await device.replica.undo()
    }
    cells.select(0, 0, from)
    await pasteCells(cells.model, '7/1/2026\n7/2/2026')
    expect(last()).toMatch(/^0 cells changed\. 2 cells skipped: .*could be two dates/)
  })

  it('are matched with a header below a title and merged headers', async () => {
    cells.select(0, 0, 'name')
    await pasteCells(cells.model, 'Plan 2026\t\nFlight\t\nPlan line\tEnd date\nX1\t2026-08-30\nX2\t2026-08-31')
    expect(cells.model.importing?.rows).toBe(3)
    await pasteCells(cells.model, 'Flight\t\nEnd date\tStart date\n2026-08-30\t2026-07-01')
    expect(last()).toBe('2 cells changed')
    expect([await cells.value(0, from), await cells.value(0, to)]).toEqual(['2026-07-01', '2026-08-30'])
  })
})

describe('very many cells', () => {
  const all = (): string => Array.from({ length: cells.model.length }, (_unused, row) => `Row ${row}`).join('\n')

  it('stay unchanged when stopped while reading or writing', async () => {
    const before = await lines([0, 100, 200])
    expect(cells.model.length).toBeGreaterThan(300)
    for (const part of [0.1, 0.7]) {
      cells.select(0, 0, line)
      const { work, app } = cells.model
      const { run } = work
      let most = 0
      work.run = (title, what) =>
        run.call(work, title, ({ signal, onprogress }) =>
          what({
            signal,
            onprogress: (done, of) => {
              onprogress(done, of)
              most = done / of
              if (most >= part) work.stop()
            },
          }),
        ) as ReturnType<typeof run<never>>
      await pasteCells(cells.model, all())
      work.run = run
      expect(most).toBeGreaterThanOrEqual(part)
      expect(last()).toBe('Pasting stopped. Nothing changed.')
      expect(await lines([0, 100, 200])).toEqual(before)
      expect([app.replica.status.drafts, app.replica.undoable.undo]).toEqual([0, null])
    }
  })

  it('are undone when it was too late to stop', async () => {
    const before = await lines([0, 1])
    cells.select(0, 1, line)
    const { edit } = cells.model.app
    Object.assign(cells.model.app, {
      edit: async (...args: Parameters<typeof edit>) => {
        const done = await edit(...args)
        cells.model.work.undoLast(device.replica.undoSteps)
        return done
      },
    })
    await pasteCells(cells.model, 'a\nb')
    expect(await lines([0, 1])).toEqual(before)
    expect(device.replica.status.drafts).toBe(0)
  })

  describe('with Undo pressed twice while they are saved', () => {
    /** Pastes over a row that was edited before, and runs `press` when the edit is about to be saved or was saved. */
    async function pasted(when: 'before' | 'after', press: () => unknown): Promise<unknown[]> {
      await writeCells(cells.model, [{ key: cells.model.rows!.key(0), path: line, text: 'Earliest' }])
      await writeCells(cells.model, [{ key: cells.model.rows!.key(0), path: line, text: 'Earlier' }])
      cells.select(0, 1, line)
      const { edit } = cells.model.app
      Object.assign(cells.model.app, {
        edit: async (...args: Parameters<typeof edit>) => {
          Object.assign(cells.model.app, { edit })
          if (when === 'before') await press()
          const done = await edit(...args)
          if (when === 'after') await press()
          return done
        },
      })
      await pasteCells(cells.model, 'a\nb')
      return lines([0, 1])
    }
    const twice = (): void => {
      for (let press = 0; press < 2; press++) cells.model.work.undoLast(device.replica.undoSteps)
    }

    it.each(['before', 'after'] as const)('undo the step before, too: %s', async (when) => {
      const second = await lines([1])
      expect(await pasted(when, twice)).toEqual(['Earliest', ...second])
    })

    it('never undo what was edited since', async () => {
      const [, second] = await lines([0, 1])
      const third = { key: cells.model.rows!.key(2), path: line, text: 'Since' }
      const { undo } = cells.model.app
      const done = await pasted('after', () => {
        twice()
        Object.assign(cells.model.app, {
          undo: async (only?: string) => {
            Object.assign(cells.model.app, { undo })
            const undone = await undo(only)
            await writeCells(cells.model, [third])
            return undone
          },
        })
      })
      expect(done).toEqual(['Earlier', second])
      expect(await lines([2])).toEqual(['Since'])
    })
  })

  it('are written offline, undone, and redone in one step', async () => {
    const before = await lines([0, 100, 200])
    await device.replica.setOffline(true)
    try {
      cells.select(0, 0, line)
      await pasteCells(cells.model, all())
      expect(last()).toBe(`${cells.model.length.toLocaleString('en')} cells changed`)
      expect(await lines([0, 100, 200])).toEqual(['Row 0', 'Row 100', 'Row 200'])
      await device.replica.undo()
      expect(await lines([0, 100, 200])).toEqual(before)
      expect(device.replica.status.drafts).toBe(0)
      await device.replica.redo()
      expect(await lines([0, 100, 200])).toEqual(['Row 0', 'Row 100', 'Row 200'])
    } finally {
      await device.replica.setOffline(false)
    }
  })
})

describe('pasted text', () => {
  it("is parsed like a spreadsheet's", async () => {
    cells.select(0, 0, line)
    await pasteCells(cells.model, '\ufeff"Line ""one"""\r\n"two\r\nlines"\r\n5" screen 😀\r\n')
    expect((await lines([0, 2]))[0]).toBe('Line "one"')
    expect((await lines([2]))[0]).toBe('5" screen 😀')
    expect(String((await lines([1]))[0])).toMatch(/^two\s+lines$/)
    await pasteCells(cells.model, 'plain\r\n"never closed\nlast')
    expect(await lines([0, 1, 2])).toEqual(['plain', '"never closed', 'last'])
  })

  it('matches what was copied, with the formula guard removed', async () => {
    const texts = ['=1+1', 'Spring;=cmd', '-5', '@mina', "'=1"]
    cells.select(0, 4, line)
    await pasteCells(cells.model, ['=1+1', 'Spring;=cmd', '-5', '@mina', "''=1"].join('\n'))
    expect(await lines([0, 1, 2, 3, 4])).toEqual(texts)
    const copied = copiedCells(cells.model)!
    expect(copied.split('\n')).toEqual(["'=1+1", "Spring;'=cmd", '-5', "'@mina", "''=1"])
    cells.select(5, 5, line)
    await pasteCells(cells.model, copied)
    expect(await lines([5, 6, 7, 8, 9])).toEqual(texts)
  })

  it('with a header goes to the rows that it names, and otherwise to the selected ones', async () => {
    cells.select(0, 0, line)
    const { model } = cells
    const before = await lines([0, 1])
    for (const heads of ['Name\tEnd date', 'Plan line\tRate/cost', 'ID\tPlan line']) {
      model.importing = null
      await pasteCells(model, `${heads}\nPasted\tPasted`)
      expect(model.importing, heads).toMatchObject({ rows: 2 })
    }
    expect(await lines([0, 1])).toEqual(before)
    model.importing = null
    await pasteCells(model, 'Comment\tOwner\tEnd date\t\tCost\nPasted\tx\t\tx\t5')
    expect(last()).toBe('1 cell changed, 3 columns ignored: Owner and Cost')
    await pasteCells(model, 'Comment\tEnd date\nPasted\t')
    expect(model.importing).toBeNull()
    expect(await cells.value(0, 'comment')).toBe('Pasted')
  })

  it('is parsed the same when too long for one pass', async () => {
    cells.select(0, 0, line)
    const long = 'x'.repeat(60)
    const text = Array.from({ length: cells.model.length }, (_u, row) => `"${row} ""q""\r\n${long}"\t`)
    for (const end of ['\r\n', '\n', '\r']) {
      await pasteCells(cells.model, text.join(end) + (end === '\r' ? '' : end))
      const rows = [0, 99, 100, cells.model.length - 1]
      const found = await lines(rows)
      rows.forEach((row, at) => expect(String(found[at])).toMatch(new RegExp(`^${row} "q"\\s+x{60}$`)))
    }
  })

  it('lists skipped cells by reason', async () => {
    const { columns } = cells.model
    const at = columns.findIndex(({ path }) => path === 'siteId')
    cells.select(0, 1, 'siteId')
    await pasteCells(cells.model, 'Elsewhere\nElsewhere')
    expect(last()).toBe('0 cells changed. 2 cells skipped: Can’t be changed after creation')
    const end = columns.findIndex(({ path }) => path === 'pricingSchedule.endDate')
    const row = (text: string): string =>
      Array.from({ length: end - at + 1 }, (_u, n) => (n === 0 || n === end - at ? text : '')).join('\t')
    await pasteCells(cells.model, `${row('no day')}\n${row('no day')}`)
    expect(last()).toMatch(/cells? skipped: .*Can’t be changed after creation \(2\)/)
    expect(last()).toMatch(/ · /)
  })
})

describe('records unreadable on disk', () => {
  it.each([
    ['pasted over', 'Pasting', () => pasteCells(cells.model, 'A new line')],
    ['filled down', 'Filling down', () => fillDown(cells.model)],
    ['copied', 'Duplicating', () => duplicate(cells.model, cells.model.selectedKeys(), false)],
    ['archived', 'Loading', () => end(cells.model, cells.model.selectedKeys())],
    ['unarchived', 'Loading', () => unarchive(cells.model, cells.model.selectedKeys())],
  ])("aren't %s, with an error", async (_what, title, work) => {
    const { readAll } = device.replica
    const drafts = device.replica.outbox().length
    cells.select(0, 2, line)
    device.replica.readAll = () => Promise.reject(storageFault({ name: 'UnknownError' }, 'Nothing changed.'))
    await work().finally(() => Object.assign(device.replica, { readAll }))
    expect(last()).toMatch(
      new RegExp(
        `^${title} failed. Couldn’t use the local database.* Nothing changed. Free up disk space, then try again.$`,
      ),
    )
    expect(device.replica.outbox()).toHaveLength(drafts)
  })
})
