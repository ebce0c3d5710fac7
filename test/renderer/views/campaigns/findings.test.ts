import { expect, it } from 'vitest'
import type { Rule } from '#shared/checks/rule'
import { stepToFinding } from '../../../../src-renderer/views/campaigns/finding-steps'
import { Findings } from '../../../../src-renderer/views/campaigns/findings.svelte'
import { accountForFile } from '../../../helpers/whole-account'

const account = accountForFile()

const rule: Rule = {
  ...{ id: 'own.named', title: 'Named', severity: 'hint', kinds: ['campaigns'] },
  find: () => [{ path: 'name', words: 'Named' }],
}
const findingsOf = (profile: string): Findings =>
  new Findings({
    app: { replica: account.device.replica, toasts: { show: (text: string) => expect.unreachable(text) } },
    ...{ scope: { profile }, zone: 'Europe/Paris', today: '2026-06-10', marks: new Map() },
    rules: { active: [], runnable: () => Promise.resolve([rule]) },
  } as unknown as ConstructorParameters<typeof Findings>[0])

it('a check of everything is finished although an edit asks for a check of its campaign', async () => {
  const { device, profile } = account
  const findings = findingsOf(profile)
  const campaign = device.replica.rows('campaigns', profile)[0]!.id
  const everything = findings.checkAll()
  await findings.check(new Set([campaign]))
  await everything
  expect(findings.count).toBeGreaterThan(100)
  await expect.poll(() => findings.running).toBe(false)
  expect(findings.count).toBeGreaterThan(100)
})

it('results are still there when the view is opened again, and only for their profile', async () => {
  const before = findingsOf(account.profile)
  await before.checkAll()
  const later = findingsOf(account.profile)
  expect(later.all).toBe(before.all)
  expect([later.count, later.at]).toEqual([before.count, before.at])
  expect(later.all.length).toBeGreaterThan(0)
  const other = findingsOf('another')
  expect([other.all, other.count, other.at]).toEqual([[], null, null])
})

it('a running check of everything is shown when the view is opened again, and only for its profile', async () => {
  const checked = findingsOf(account.profile).checkAll()
  const later = findingsOf(account.profile)
  expect([later.running, findingsOf('another').running]).toEqual([true, false])
  await checked
  expect([later.running, later.all.length > 0]).toEqual([false, true])
})

it('without a finding to go to, a message says so and leads on', () => {
  const said: unknown[] = []
  const go = (findings: object): { panel?: string } => {
    const toasts = {
      show: (text: string, { action }: { action?: { label: string; run: () => void } } = {}) => {
        said.push([text, action?.label])
        action?.run()
      },
    }
    const checkAll = (): unknown => said.push('checked')
    const model = { rows: { find: () => -1 }, columns: [], app: { toasts }, findings: { ...findings, checkAll } }
    stepToFinding(model as never, 1)
    return model as { panel?: string }
  }
  expect(go({ all: [], count: null, running: false }).panel).toBe('findings')
  expect(go({ all: [{ record: { key: 'elsewhere' } }], count: 5, running: false }).panel).toBe('findings')
  go({ all: [], count: 5, running: true })
  expect(said).toEqual([
    ['No errors or warnings in your changes', 'Check everything'],
    'checked',
    ['No errors or warnings in this list', 'Show findings'],
    ['Still checking. Try again in a moment.', undefined],
  ])
})
