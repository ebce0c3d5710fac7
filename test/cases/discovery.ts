import { expect } from 'vitest'
import { serviceNames, tableOf, versionsOf } from '#shared/wire/services'
import type { Cases, World } from './world'

export function discoveryCases(world: World): Cases<'discovery'> {
  const { call } = world
  return {
    'discovery.apis.list': async () => {
      const all = (await call('discovery.apis.list', {})).body.items!
      expect(all.map(({ id }) => id).sort()).toEqual(
        serviceNames.flatMap((name) => versionsOf(name).map((version) => `${name}:${version}`)).sort(),
      )
      const preferred = (await call('discovery.apis.list', { preferred: true })).body.items!
      expect(preferred.map(({ name }) => name).sort()).toEqual([...serviceNames].sort())
      const named = (await call('discovery.apis.list', { name: 'tasks' })).body.items!
      expect(named.map(({ name, version }) => `${name} ${version}`)).toEqual(['tasks v1'])
    },
    'discovery.apis.getRest': async () => {
      const { body } = await call('discovery.apis.getRest', { api: 'tasks', version: 'v1' })
      expect(body).toMatchObject({ name: 'tasks', version: 'v1' })
      expect(Object.keys(body.schemas!).sort()).toEqual(Object.keys(tableOf('tasks').schemas).sort())
      expect(await world.gone(call('discovery.apis.getRest', { api: 'tasks', version: 'v9' }))).toBe(true)
    },
  }
}
