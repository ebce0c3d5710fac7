import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FaultError } from '../../../src-shared/fault'
import { KeptFile } from '../../../src-main/disk/kept-file'

const schema = z.object({ count: z.number() })
const place = async (): Promise<string> => join(await mkdtemp(join(tmpdir(), 'flightplan-kept-')), 'count.json')
const whenUnreadable = { disk: 'Nothing changed.', content: (path: string) => `Couldn’t read ${path}.` }

describe('a kept file', () => {
  it('starts with the value for a missing file, and reads what was written', async () => {
    const path = await place()
    const file = new KeptFile(path, schema, { missing: { count: 0 } })
    expect(await file.read()).toEqual({ count: 0 })
    await file.write({ count: 3 })
    expect(await new KeptFile(path, schema, { missing: { count: 0 } }).read()).toEqual({ count: 3 })
  })

  it('belongs to its user only, in a folder that is created if needed', async () => {
    const path = join(await place(), 'inner', 'count.json')
    await new KeptFile(path, schema, { missing: { count: 0 } }).write({ count: 1 })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('makes every change upon the one before it', async () => {
    const path = await place()
    const file = new KeptFile(path, schema, { missing: { count: 0 } })
    const changes = Array.from({ length: 5 }, () => file.change(({ count }) => ({ count: count + 1 })))
    const read = file.read()
    expect((await Promise.all(changes)).map(({ count }) => count)).toEqual([1, 2, 3, 4, 5])
    expect(await read).toEqual({ count: 5 })
    expect(await readFile(path, 'utf8')).toBe('{"count":5}')
  })

  it.each(['not JSON', '{"count":"many"}'])('counts %s as missing if nothing is at stake', async (text) => {
    const path = await place()
    await writeFile(path, text)
    expect(await new KeptFile(path, schema, { missing: { count: 0 } }).read()).toEqual({ count: 0 })
  })

  it('refuses to overwrite what it cannot read if something is', async () => {
    const path = await place()
    await writeFile(path, '{"count":"many"}')
    const file = new KeptFile(path, schema, { missing: { count: 0 }, whenUnreadable })
    await expect(file.read()).rejects.toThrow(new FaultError({ code: 'storage', message: `Couldn’t read ${path}.` }))
    await expect(file.change(() => ({ count: 1 }))).rejects.toThrow(FaultError)
    expect(await readFile(path, 'utf8')).toBe('{"count":"many"}')
    await writeFile(path, '{"count":2}')
    expect(await file.change(({ count }) => ({ count: count + 1 }))).toEqual({ count: 3 })
  })
})
