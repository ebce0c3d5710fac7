import { expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { accountTerms } from '../../src-renderer/context/account-terms'
import { accountForFile } from '../helpers/whole-account'

const account = accountForFile()

it('an account tells the zone and the currency of its campaigns', async () => {
  const { device, profile } = account
  const { replica } = device
  expect(accountTerms(replica, profile)).toEqual({ zone: 'Europe/Paris', currency: 'EUR' })
  const id = String(replica.rows('userProfiles').find((row) => row.id === profile)!.value!['accountId'])
  const key = recordKey('accounts', profile, id)
  const own = (await replica.read(key))!.value!['reportsConfiguration'] as JsonObject
  const reportsConfiguration = { ...own, reportGenerationTimeZoneId: '1' }
  await replica.edit([{ kind: 'change', key, patch: { reportsConfiguration, currencyId: '1' } }], { label: 'Move' })
  expect(accountTerms(replica, profile)).toEqual({ zone: 'America/New_York', currency: 'USD' })
  await replica.undo()
  expect(accountTerms(replica, 'nobody')).toEqual({})
})
