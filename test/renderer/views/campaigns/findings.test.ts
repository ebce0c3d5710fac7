import { expect, it } from 'vitest'
import { stepToFinding } from '../../../../src-renderer/views/campaigns/finding-steps'
import { Findings } from '../../../../src-renderer/views/campaigns/findings.svelte'
import { accountForFile } from '../../../helpers/whole-account'

const account = accountForFile()

it('a check of everything is finished although an edit asks for a check of its campaign', async () => {
  const { device, profile } = account
  const findings = new Findings({
    app: { replica: device.replica, toasts: { show: (text: string) => expect.unreachable(text) } },
    ...{ scope: { profile }, zone: 'Europe/Paris', today: '2026-06-10', marks: new Map() },
    rules: { active: [], runnable: () => Promise.resolve([]) },
  } as unknown as ConstructorParameters<typeof Findings>[0])
  const campaign = device.replica.rows('campaigns', profile)[0]!.id
  const everything = findings.checkAll()
  await findings.check(new Set([campaign]))
  await everything
  expect(findings.count).toBeGreaterThan(100)
  await expect.poll(() => findings.running).toBe(false)
  expect(findings.count).toBeGreaterThan(100)
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
