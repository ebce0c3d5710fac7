import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operation, operationIds, type OperationId, type Versions } from '#shared/wire/services'
import type { Vocabulary } from '#shared/wire/vocabulary'
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/start'
import { createClient } from '../../../src-main/services/client'
import { allCases } from '../../cases/all'
import { ourClient } from '../../cases/our-client'
import { World } from '../../cases/world'
import { clockFromMoment } from '../../helpers/moment'
import { drawn } from '../../helpers/ring'

/** A version's operations. Services with one version run with the newest. */
function idsOf(versions: Versions): OperationId[] {
  return operationIds.filter((id) => {
    try {
      return operation(id, versions).service === 'trafficking' || versions.trafficking === 'v3.4'
    } catch {
      return false
    }
  })
}

/** Each version with each naming. A sample pair covers both versions and both namings. */
const pairs: { trafficking: string; words: Vocabulary }[][] = [
  [
    { trafficking: 'v3.4', words: 'neutral' },
    { trafficking: 'v3.3', words: 'public' },
  ],
  [
    { trafficking: 'v3.3', words: 'neutral' },
    { trafficking: 'v3.4', words: 'public' },
  ],
]

const clock = clockFromMoment()

describe.each(drawn(pairs, 1).flat())(
  'every operation, from the client to the sandbox and back, trafficking $trafficking, $words naming',
  ({ trafficking, words }) => {
    const versions = { trafficking }
    let sandbox: Sandbox
    let world: World
    let cases: ReturnType<typeof allCases>

    beforeAll(async () => {
      sandbox = await startSandbox({ seed: 'demo', words, now: clock.now })
      const client = createClient({
        baseUrl: () => sandbox.baseUrl,
        token: () => sandbox.token,
        versions,
        vocabulary: words,
        fetch,
        now: clock.now,
      })
      world = new World(sandbox, ourClient(client, versions), clock.now)
      await world.open()
      cases = allCases(world)
    })
    afterAll(async () => {
      world.close()
      await sandbox.stop()
    })

    it('has a test case', () => {
      expect(idsOf(versions).filter((id) => !cases[id])).toEqual([])
    })

    it.each(idsOf(versions))('%s', async (id) => {
      await cases[id]!()
    })
  },
)
