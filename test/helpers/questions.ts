import type { RunningApp } from './app'

/** A question main asked in a system dialog. */
export interface Asked {
  message: string
  detail: string
}

/** Answers every later question of main with a button, and records it. */
export const answerQuestions = ({ electron }: RunningApp, button: number): Promise<void> =>
  electron.evaluate(({ dialog }, response) => {
    const asked: Asked[] = ((globalThis as unknown as { asked: Asked[] }).asked = [])
    dialog.showMessageBox = (...args: unknown[]): Promise<Electron.MessageBoxReturnValue> => {
      const { message, detail = '' } = args.at(-1) as Electron.MessageBoxOptions
      asked.push({ message, detail })
      return Promise.resolve({ response, checkboxChecked: false })
    }
  }, button)

/** Questions since `answerQuestions`. */
export const questions = ({ electron }: RunningApp): Promise<Asked[]> =>
  electron.evaluate(() => (globalThis as unknown as { asked: Asked[] }).asked)
