import { expect, it } from 'vitest'
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
