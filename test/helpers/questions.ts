import type { RunningApp } from './app'

/** What main asked in a dialog of the system. */
export interface Asked {
  message: string
  detail: string
}

/** Answers what main asks with a button, from now on, and notes what it asks. */
export const answerQuestions = ({ electron }: RunningApp, button: number): Promise<void> =>
  electron.evaluate(({ dialog }, response) => {
    const asked: Asked[] = ((globalThis as unknown as { asked: Asked[] }).asked = [])
    dialog.showMessageBox = (...args: unknown[]): Promise<Electron.MessageBoxReturnValue> => {
      const { message, detail = '' } = args.at(-1) as Electron.MessageBoxOptions
      asked.push({ message, detail })
      return Promise.resolve({ response, checkboxChecked: false })
    }
  }, button)

/** What was asked since `answerQuestions`. */
export const questions = ({ electron }: RunningApp): Promise<Asked[]> =>
  electron.evaluate(() => (globalThis as unknown as { asked: Asked[] }).asked)
