import { z } from 'zod'
import { sharedRulesSchema } from '../checks/rules-file'

/** Questions about files with custom rules. */
export const checkRuleQuestions = {
  /** Writes rules to a file that the user chooses. */
  'check-rules/save': z.object({ suggestedName: z.string().max(200), rules: sharedRulesSchema }),
  /** Asks for a file with rules. Null if the user cancels. */
  'check-rules/open': z.object({}),
} as const

export interface CheckRuleAnswers {
  /** Null if the user cancels. */
  'check-rules/save': { path: string; bytes: number } | null
  /** The text of the file, unread. */
  'check-rules/open': { name: string; text: string } | null
}
