// Generated from tasks-v1.json by scripts/generate-wire-types.mjs. Do not edit.

export interface AssignmentInfo {
  driveResourceInfo?: DriveResourceInfo
  linkToTask?: string
  spaceInfo?: SpaceInfo
  surfaceType?: "CONTEXT_TYPE_UNSPECIFIED" | "GMAIL" | "DOCUMENT" | "SPACE"
}

export interface DriveResourceInfo {
  driveFileId?: string
  resourceKey?: string
}

export interface SpaceInfo {
  space?: string
}

export interface Task {
  assignmentInfo?: AssignmentInfo
  completed?: string
  deleted?: boolean
  due?: string
  etag?: string
  hidden?: boolean
  id?: string
  kind?: string
  links?: Array<{ description?: string; link?: string; type?: "email" | "generic" | "chat_message" | "keep_note" | (string & {}) }>
  notes?: string
  parent?: string
  position?: string
  selfLink?: string
  status?: "needsAction" | "completed"
  title?: string
  updated?: string
  webViewLink?: string
}

export interface TaskList {
  etag?: string
  id?: string
  kind?: string
  selfLink?: string
  title?: string
  updated?: string
}

export interface TaskLists {
  etag?: string
  items?: Array<TaskList>
  kind?: string
  nextPageToken?: string
}

export interface Tasks {
  etag?: string
  items?: Array<Task>
  kind?: string
  nextPageToken?: string
}

export interface Operations {
  "tasks.tasklists.delete": {
    params: { tasklist: string }
    request: undefined
    response: undefined
  }
  "tasks.tasklists.get": {
    params: { tasklist: string }
    request: undefined
    response: TaskList
  }
  "tasks.tasklists.insert": {
    params: {  }
    request: TaskList
    response: TaskList
  }
  "tasks.tasklists.list": {
    params: { maxResults?: number; pageToken?: string }
    request: undefined
    response: TaskLists
  }
  "tasks.tasklists.patch": {
    params: { tasklist: string }
    request: TaskList
    response: TaskList
  }
  "tasks.tasklists.update": {
    params: { tasklist: string }
    request: TaskList
    response: TaskList
  }
  "tasks.tasks.clear": {
    params: { tasklist: string }
    request: undefined
    response: undefined
  }
  "tasks.tasks.delete": {
    params: { tasklist: string; task: string }
    request: undefined
    response: undefined
  }
  "tasks.tasks.get": {
    params: { tasklist: string; task: string }
    request: undefined
    response: Task
  }
  "tasks.tasks.insert": {
    params: { tasklist: string; parent?: string; previous?: string }
    request: Task
    response: Task
  }
  "tasks.tasks.list": {
    params: { tasklist: string; completedMax?: string; completedMin?: string; dueMax?: string; dueMin?: string; maxResults?: number; pageToken?: string; showAssigned?: boolean; showCompleted?: boolean; showDeleted?: boolean; showHidden?: boolean; updatedMin?: string }
    request: undefined
    response: Tasks
  }
  "tasks.tasks.move": {
    params: { tasklist: string; task: string; destinationTasklist?: string; parent?: string; previous?: string }
    request: undefined
    response: Task
  }
  "tasks.tasks.patch": {
    params: { tasklist: string; task: string }
    request: Task
    response: Task
  }
  "tasks.tasks.update": {
    params: { tasklist: string; task: string }
    request: Task
    response: Task
  }
}
