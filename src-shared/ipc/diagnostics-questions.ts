import { z } from 'zod'

/** Questions about what went wrong, and about starting again. */
export const diagnosticsQuestions = {
  /** The text of the diagnostics file, exactly as `diagnostics/save` writes it next. */
  'diagnostics/show': z.object({}),
  /** Writes the text that was shown last to a file that the user chooses. */
  'diagnostics/save': z.object({}),
  /** An unexpected error of the page. Main logs its kind and place, never its message. */
  'diagnostics/error': z.object({ name: z.string().max(200), stack: z.string().max(20_000) }),
  /** Quits and starts again, without safe mode. */
  'app/restart': z.object({}),
} as const

export interface DiagnosticsAnswers {
  'diagnostics/show': { text: string }
  /** Null if the user closed the dialog without choosing. */
  'diagnostics/save': { path: string; bytes: number } | null
  'diagnostics/error': null
  'app/restart': null
}
