import { newId, type Person, type Service } from '../operation'
import { nthPosition } from '../tasks/order'
import { dayMs } from './book'
import type { Chance } from './chance'
import { brands, partners } from './sample-names'

const workTitles = [
  'Send the {brand} media plan',
  'Check tags on the {brand} landing page',
  'Chase creatives for {brand}',
  'Book inventory with {partner}',
  'Compare {partner} invoice with delivery',
  'Update the pacing sheet for {brand}',
  'Write the {brand} post-campaign report',
  'Approve placements for {brand}',
  'Set frequency caps for {brand}',
  'Ask {partner} for a makegood',
]
const launchTitles = [
  'Brief: {brand}',
  'Trafficking sheet: {brand}',
  'Launch checklist: {brand}',
  'Screenshots of live ads: {brand}',
  'Budget sign-off: {brand}',
]
const homeTitles = [
  'Renew the parking permit',
  'Buy a present for Sofia',
  'Book the dentist',
  'Fix the bike light',
  'Return library books',
  'Plan the summer holiday',
  'Water the balcony',
  'Call the landlord',
  'Sort photos',
  'Leo: new football boots',
]
const ideaTitles = [
  'Read: incrementality testing in small markets',
  'Try a shorter stand-up',
  'Idea: flight overview poster',
  'Look at contextual formats of {partner}',
  'Read: attention metrics, chapter 3',
  'Template for kick-offs',
  'Idea: shared glossary',
]
const steps = ['Collect the numbers', 'Draft', 'Get feedback', 'Send', 'File it', 'Ask Mina', 'Check with Jonas']
const notes = [
  'See the thread from Tuesday.',
  'Deadline is hard: the partner closes booking at noon.',
  'https://docs.flightplan.example/checklists/launch',
  'Numbers are in the shared sheet.\nTwo tabs: plan and actuals.',
]

/** Four lists with about 120 tasks: subtasks, due dates, notes, done ones. @returns their IDs. */
export function seedTasks(service: Service, chance: Chance, you: Person, today: number): Record<string, string> {
  const { store } = service
  const first = store.get<{ id: string }>('SELECT id FROM task_lists WHERE person = ? ORDER BY number', you.id)!.id
  const lists: Array<[string, string, string[], number]> = [
    ['taskListId', 'My tasks', workTitles, 32],
    ['launchTaskListId', 'Campaign launches', launchTitles, 20],
    ['homeTaskListId', 'Home', homeTitles, 12],
    ['ideaTaskListId', 'Reading and ideas', ideaTitles, 9],
  ]
  const ids: Record<string, string> = {}
  lists.forEach(([key, title, titles, count], number) => {
    const id = number === 0 ? first : newId(chance.next, 22)
    const changed = store.stamp()
    store.put('task_lists', {
      person: you.id,
      id,
      number,
      changed,
      updated: Math.floor(changed / 1000),
      data: JSON.stringify({ title }),
    })
    ids[key] = id
    for (let index = 0; index < count; index++) {
      const name = titles[index % titles.length]!.replace('{brand}', chance.pick(brands)).replace(
        '{partner}',
        chance.pick(partners),
      )
      const parent = put(service, chance, you, id, null, index, name, today)
      const children = chance.yes(0.3) ? 1 + chance.int(4) : 0
      for (const [at, step] of chance.some(steps, children).entries())
        put(service, chance, you, id, parent, at, step, today)
    }
  })
  return ids
}

function put(
  service: Service,
  chance: Chance,
  you: Person,
  list: string,
  parent: string | null,
  index: number,
  title: string,
  today: number,
): string {
  const { store } = service
  const id = newId(chance.next, 22)
  const done = chance.yes(0.22)
  const due = chance.yes(parent ? 0.2 : 0.6)
    ? new Date(today + (chance.int(40) - (done ? 35 : 8)) * dayMs).toISOString().slice(0, 10)
    : null
  const updated = store.now - chance.int(30 * 24 * 60) * 60_000
  store.put('tasks', {
    person: you.id,
    list,
    id,
    parent,
    position: nthPosition(index),
    completed: done ? updated : null,
    due,
    hidden: 0,
    deleted: 0,
    updated,
    changed: store.stamp(),
    data: JSON.stringify({
      title,
      status: done ? 'completed' : 'needsAction',
      ...(chance.yes(0.25) ? { notes: chance.pick(notes) } : {}),
    }),
  })
  return id
}
