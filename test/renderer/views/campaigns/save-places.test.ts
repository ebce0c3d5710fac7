import { expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { LongWork } from '../../../../src-renderer/context/long-work.svelte'
import { savePlaces } from '../../../../src-renderer/views/campaigns/save-places'

it('text that was typed into many cells is saved with progress, and can be stopped', async () => {
  const said: string[] = []
  let go = (): void => undefined
  const turn = new Promise<void>((resolve) => (go = resolve))
  let hidden = 0
  const model = {
    work: new LongWork(),
    saving: { show: () => () => void hidden++, mark: () => undefined },
    app: {
      replica: { inTurn: (run: (turn: object) => Promise<unknown>) => turn.then(() => run({})) },
      toasts: { show: (text: string) => said.push(text) },
      announce: () => undefined,
    },
  }
  const keys = ['a', 'b']
  const place = { facts: factsOf().of('placements'), path: 'comment', keys, title: 'A' }
  const edits = new Map(keys.map((key) => [key, { path: 'comment', value: 'typed' }]))
  const saved = savePlaces(model as never, { place, edits, upon: new Map(), text: 'typed' })
  expect(model.work.busy).toBe(true)
  model.work.stop()
  expect(model.work.shown).toMatchObject({ title: 'Saving', stopping: true })
  go()
  await saved
  expect(said).toEqual(['Saving stopped. Nothing changed.'])
  expect(hidden).toBeGreaterThan(0)
  expect(model.work.busy).toBe(false)
})
