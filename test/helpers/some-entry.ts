import type { OutboxEntry } from '#shared/mutation/entry'

/** A pending change of an event. */
export const someEntry = (more: Partial<OutboxEntry> = {}): OutboxEntry => ({
  id: '1',
  accountId: 'a',
  collection: 'events',
  parent: 'c',
  recordId: 'e',
  kind: 'change',
  patch: {},
  base: null,
  complete: true,
  mails: 0,
  dependsOn: [],
  group: 'g',
  label: 'Change',
  madeAt: 0,
  state: 'waiting',
  attempts: 0,
  unknownOutcome: false,
  ...more,
})
