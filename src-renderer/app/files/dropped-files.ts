let waiting: File | undefined
let taken: ((file: File) => void) | undefined

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true

/** Accepts files that are dropped on the window. One that comes before `onDroppedFile` waits for it. */
export function acceptFiles(page: Window): void {
  page.addEventListener('dragover', (event) => {
    if (!hasFiles(event) || event.defaultPrevented) return
    event.preventDefault()
    event.dataTransfer!.dropEffect = 'copy'
  })
  page.addEventListener('drop', (event) => {
    if (!hasFiles(event) || event.defaultPrevented) return
    event.preventDefault()
    const [file] = event.dataTransfer!.files
    if (!file) return
    if (taken) taken(file)
    else waiting = file
  })
}

/** Calls `take` with each file that is dropped, and the one that waits, until the returned function is called. */
export function onDroppedFile(take: (file: File) => void): () => void {
  taken = take
  if (waiting) take(waiting)
  waiting = undefined
  return () => {
    if (taken === take) taken = undefined
  }
}
