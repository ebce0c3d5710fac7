/**
 * The plain states of anything a person can edit, in words; a draft is one that waits on this computer for its person, and
 * what is being kept is not safe there yet.
 */
export type MarkName = 'keeping' | 'local' | 'draft' | 'sending' | 'synced' | 'needsYou'

export const markWords: Readonly<Record<MarkName, string>> = {
  keeping: 'Saving…',
  local: 'Pending',
  draft: 'Draft',
  sending: 'Sending…',
  synced: 'Synced',
  needsYou: 'Needs attention',
}

/** What the state means, for descriptions and tooltips. */
export const markMeaning: Readonly<Record<MarkName, string>> = {
  keeping: 'Saving to this computer',
  local: 'Saved on this computer, not sent yet',
  draft: 'Saved on this computer until you post it',
  sending: 'Sending to the server',
  synced: 'The server has this version',
  needsYou: 'The server rejected this change. Open Sync to resolve it.',
}
