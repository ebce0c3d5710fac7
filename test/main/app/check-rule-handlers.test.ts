import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { maxRulesFile, readRules, type SharedRule } from '#shared/checks/rules-file'
import { checkRuleHandlers } from '../../../src-main/app/check-rule-handlers'
import type { FilePlaces } from '../../../src-main/app/files'

const rule: SharedRule = {
  ...{ name: 'Größe', kind: 'placements', severity: 'hint', words: 'Look' },
  when: [{ column: 'name', has: 'ü' }],
}
let path: string
beforeAll(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'flightplan-rules-')), 'rules.json')
})

function handlers(chosen: string | undefined) {
  const places = {
    shell: { askOpen: () => Promise.resolve(chosen), askSave: () => Promise.resolve(chosen) },
    // A calendar file opened outside of the app must not be taken for rules.
    opened: () => 'other.ics',
    note: () => Promise.resolve(),
  } as unknown as FilePlaces
  return checkRuleHandlers({ files: places }) as unknown as {
    'check-rules/open': () => Promise<{ name: string; text: string } | null>
    'check-rules/save': (wanted: unknown) => Promise<{ path: string } | null>
  }
}
const open = (chosen: string | undefined = path): ReturnType<ReturnType<typeof handlers>['check-rules/open']> =>
  handlers(chosen)['check-rules/open']()

describe('a file of rules', () => {
  it('is saved where people choose, and read again', async () => {
    const saved = await handlers(path)['check-rules/save']({ suggestedName: 'Rules', rules: [rule] })
    expect(saved).toMatchObject({ path })
    const file = (await open())!
    expect(file.name).toBe('rules.json')
    expect(readRules(file.text, () => undefined).rules).toEqual([rule])
    expect(await readFile(path, 'utf8')).toBe(file.text)
  })

  it('is neither read nor saved if no one chooses one', async () => {
    expect(await handlers(undefined)['check-rules/open']()).toBeNull()
    expect(await handlers(undefined)['check-rules/save']({ suggestedName: 'Rules', rules: [rule] })).toBeNull()
  })

  it('can’t be too large, something else than text, or missing', async () => {
    await writeFile(path, ' '.repeat(maxRulesFile))
    expect((await open())!.text).toHaveLength(maxRulesFile)
    await writeFile(path, ' '.repeat(maxRulesFile + 1))
    await expect(open()).rejects.toThrow('It’s too large')
    await writeFile(path, new Uint8Array([0xc3, 0x28]))
    await expect(open()).rejects.toThrow('It isn’t a text file')
    await expect(open(`${path}.gone`)).rejects.toThrow('no longer exists')
  })
})
