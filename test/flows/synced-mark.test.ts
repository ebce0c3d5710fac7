import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { modelForEach } from './model/for-each'

const list = 'inbox'
let task: JsonObject

const { clock, service, replica } = modelForEach(10_000, () => {
  task = service.callAs('ada', 'tasks.tasks.insert', { tasklist: list }, { title: 'Task' })!
})

describe("a record's mark", () => {
  it.each([
    ['the request is lost', 'before', 'unreachable'],
    ['the service fails', 'before', 'unavailable'],
    ['the response is lost', 'after', 'answerLost'],
    ['the response is invalid', 'after', 'badAnswer'],
  ] as const)("isn't “synced” while %s, and is once the service responds", async (_, moment, code) => {
    let isDown = true
    service.trouble = (__, at) => (isDown && at === moment ? code : undefined)
    const key = recordKey('tasks', list, String(task.id))
    await replica.edit(
      [
        { kind: 'change', key, patch: { title: 'Mine' } },
        { kind: 'create', collection: 'tasks', parent: list, value: { title: 'New' } },
      ],
      { label: 'Edit' },
    )
    const marks = (): unknown[] =>
      replica.rows('tasks', list).flatMap(({ value, mark }) => (value ? [[value.title, mark]] : []))
    for (let second = 0; second < 90; second++) {
      await clock.pass(1_000)
      for (const [title, mark] of marks() as [string, string][]) expect([title, mark]).not.toEqual([title, 'synced'])
    }
    isDown = false
    replica.syncNow()
    await clock.pass(120_000)
    expect(marks()).toEqual(
      expect.arrayContaining([
        ['Mine', 'synced'],
        ['New', 'synced'],
      ]),
    )
    const held = [...service.shelf(`tasks ${list}`).held.values()].map(({ value }) => value.title)
    expect(held.sort()).toEqual(['Mine', 'New'])
  })
})
