// Imported first by commands: `--help` prints the comment at the top of the command's script, and ends.
import { readFileSync } from 'node:fs'

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
