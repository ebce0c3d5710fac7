import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operation, operationIds, serviceNames, type OperationId, type Versions } from '#shared/wire/services'
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/start'
import { allCases } from '../../cases/all'
import { foreignClients } from '../../cases/foreign-clients'
import { World } from '../../cases/world'
import { clockFromMoment } from '../../helpers/moment'

/** Known gaps of the packages. */
const notOffered: Record<string, string[]> = { 'v3.4': [], 'v3.3': [] }

/** A version's operations. Services with one version run once, with the newest. */
const idsOf = (versions: Versions): OperationId[] =>
  operationIds.filter((id) => {
    try {
      return operation(id, versions).service === 'trafficking' || versions.trafficking === 'v3.4'
    } catch {
      return false
    }
  })

const clock = clockFromMoment()

describe.each([{ trafficking: 'v3.4' }, { trafficking: 'v3.3' }])(
  'third-party clients with public naming, trafficking $trafficking',
  (versions) => {
    let sandbox: Sandbox
    let world: World
    let cases: ReturnType<typeof allCases>
    const called = new Map<string, number>()

    beforeAll(async () => {
      sandbox = await startSandbox({ seed: 'demo', words: 'public', now: clock.now })
      world = new World(sandbox, foreignClients(sandbox, versions), clock.now)
      await world.open()
      cases = allCases(world)
    })
    afterAll(async () => {
      world.close()
      await sandbox.stop()
      const counts = serviceNames.map((name) => `${name} ${called.get(name) ?? 0}`).join(', ')
      console.info(`operations called with foreign clients (trafficking ${versions.trafficking}): ${counts}`)
    })

    const offers = foreignClients({ baseUrl: 'http://127.0.0.1:9', token: '' } as Sandbox, versions).offers

    it('offer everything except known gaps', () => {
      const missing = idsOf(versions).filter((id) => !offers(id))
      expect(missing).toEqual(notOffered[versions.trafficking])
    })

    it.each(idsOf(versions).filter(offers))('%s', async (id) => {
      await cases[id]!()
      const { service } = operation(id, versions)
      called.set(service, (called.get(service) ?? 0) + 1)
    })
  },
)
