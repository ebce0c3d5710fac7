import type { HandlersOf } from '../ipc/handle'
import type { Rehearsals } from './rehearsals'

export interface RehearsalHandlerDeps {
  rehearsals: Pick<Rehearsals, 'begin' | 'load' | 'push' | 'end'>
}

/** Handlers of requests about rehearsals. */
export const rehearsalHandlers = ({ rehearsals }: RehearsalHandlerDeps): HandlersOf<'rehearsal'> => ({
  'rehearsal/begin': ({ accountId, profile }) => rehearsals.begin(accountId, profile),
  'rehearsal/load': (asked) => rehearsals.load(asked),
  'rehearsal/push': (asked) => rehearsals.push(asked),
  'rehearsal/end': ({ id }) => rehearsals.end(id),
})
