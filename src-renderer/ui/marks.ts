/** The four plain states of anything a person can edit, in words. */
export type MarkName = 'local' | 'sending' | 'synced' | 'needsYou'

export const markWords: Readonly<Record<MarkName, string>> = {
  local: 'On this computer',
  sending: 'Sending',
  synced: 'On the server',
  needsYou: 'Needs you',
}

/** What the state means, for descriptions and tooltips. */
export const markMeaning: Readonly<Record<MarkName, string>> = {
  local: 'Saved on this computer and waiting to be sent',
  sending: 'Being sent to the server now',
  synced: 'The server has this version',
  needsYou: 'The server did not take this as it is. Open Sync to decide.',
}
