import { launchApp, type LaunchOptions, type RunningApp } from '../../test/helpers/app'

/** Starts the app. If it ends before `close`, prints how, and what it wrote. */
export async function launchWatched(options: LaunchOptions): Promise<RunningApp> {
  const app = await launchApp(options)
  let closing = false
  app.electron.process().once('exit', (code, signal) => {
    if (!closing) console.error(`The app ended on its own (${signal ?? code}). It wrote:\n${app.log.join('')}`)
  })
  return {
    ...app,
    close: () => {
      closing = true
      return app.close()
    },
  }
}
