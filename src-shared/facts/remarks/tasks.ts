import { mergeNotes } from '../../domain/merge-notes'
import { often, type ServiceRemarks } from '../remark'

export const tasksRemarks = {
  etags: true,
  send: 'soon',
  merge: {
    fields: {
      Task: {
        completed: { unit: 'status' },
        status: { unit: 'status' },
        notes: { words: mergeNotes },
        // Deleting is a separate edit, never a field change.
        deleted: 'server',
      },
    },
  },
  collections: {
    tasklists: {
      pull: { when: 'root', order: 0, patience: often },
      words: { one: 'task list', many: 'task lists' },
      keepsDeleted: {},
    },
    tasks: {
      parents: [{ collection: 'tasklists', param: 'tasklist' }],
      listParams: { showCompleted: true, showHidden: true, showDeleted: true, showAssigned: true },
      pull: { when: 'perParent', order: 1, patience: often },
      sideEffects: 'place',
      seen: ['title', 'notes', 'due'],
      gone: { field: 'deleted', is: true, back: false },
      keepsDeleted: {},
    },
  },
} as const satisfies ServiceRemarks
