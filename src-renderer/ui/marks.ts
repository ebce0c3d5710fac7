/**
 * States of a record. A draft stays on this computer until it's posted. A record being saved isn't safe on disk yet.
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

/** Explanations of the states, for descriptions and tooltips. */
export const markMeaning: Readonly<Record<MarkName, string>> = {
  keeping: 'Saving to this computer',
  local: 'Saved on this computer, not sent yet',
  draft: 'Saved on this computer until you post it',
  sending: 'Sending to the server',
  synced: 'The server has this version',
  needsYou: 'This change needs attention. Resolve it in Sync.',
}
