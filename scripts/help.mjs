// Imported first by commands: `--help` prints the comment at the top of the command's script, and ends.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

if (process.argv.includes('--help')) {
  const lines = readFileSync(process.argv[1], 'utf8').split('\n')
  const end = lines.findIndex((line) => !line.startsWith('//'))
  console.log(
    lines
      .slice(0, end)
      .map((line) => line.replace(/^\/\/ ?/, ''))
      .join('\n'),
  )
  process.exit(0)
}

/** The command's options, as `parseArgs` describes them. Ends with 2 and a message where another or an argument is given. */
export function readOptions(options = {}) {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    console.error(`${error.message.replace(/\. (?:To specify|This command) .*/s, '')}\n--help lists the options.`)
    process.exit(2)
  }
}
export const flag = { type: 'boolean' }
export const text = { type: 'string' }
