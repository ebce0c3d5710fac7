import { open } from 'node:fs/promises'
import { maxRulesFile, writeRules } from '#shared/checks/rules-file'
import { FaultError } from '#shared/fault'
import { storageFault } from '#shared/storage-words'
import type { Handlers } from '../ipc/handle'
import { chooseFile, saveAs, type FilePlaces } from './files'

/** Files with custom rules. */
export const checkRuleHandlers = ({
  files,
}: {
  files: FilePlaces
}): Pick<Handlers, 'check-rules/save' | 'check-rules/open'> => ({
  'check-rules/save': async ({ suggestedName, rules }) =>
    saveAs(files, {
      ...{ name: suggestedName, extension: '.json', kind: 'Custom rules', rows: rules.length },
      chunks: () => [writeRules(rules)],
    }),
  'check-rules/open': async () => {
    // Files that were opened outside of the app are calendars.
    const file = await chooseFile({ ...files, opened: () => undefined }, 'Custom rules', ['json'])
    return file && { name: file.name, text: await textOf(file.path) }
  },
})

/** The text of a file. @throws FaultError `invalid` if it's too large or not text; `storage` */
async function textOf(path: string): Promise<string> {
  let bytes: Buffer
  try {
    const file = await open(path)
    try {
      // One byte more than allowed, whatever size the system reports.
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxRulesFile + 1), 0, maxRulesFile + 1, 0)
      bytes = buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw storageFault(error, 'Nothing was imported.')
  }
  if (bytes.length > maxRulesFile) throw invalid('It’s too large for a rules file.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('It isn’t a text file.')
  }
}

const invalid = (message: string): FaultError => new FaultError({ code: 'invalid', message })
