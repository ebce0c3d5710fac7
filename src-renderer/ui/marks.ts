/**
 * The plain states of anything a person can edit, in words; a draft is one that waits on this computer for its person, and
 * what is being kept is not safe there yet.
 */
export type MarkName = 'keeping' | 'local' | 'draft' | 'sending' | 'synced' | 'needsYou'

export const markWords: Readonly<Record<MarkName, string>> = {
  keeping: 'Being kept',
  local: 'On this computer',
  draft: 'Draft',
  sending: 'Sending',
  synced: 'On the server',
  needsYou: 'Needs you',
}

/** What the state means, for descriptions and tooltips. */
export const markMeaning: Readonly<Record<MarkName, string>> = {
  keeping: 'Being written to the disk of this computer; safe once that is done',
  local: 'Saved on this computer and waiting to be sent',
  draft: 'Saved on this computer; not sent before you post it',
  sending: 'Being sent to the server now',
  synced: 'The server has this version',
  needsYou: 'The server did not take this as it is. Open Sync to decide.',
}
